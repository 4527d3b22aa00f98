"""Sentences for the user that can still be translated after they were filled."""


class Sentence(str):
    """A text, with the template and the named values that it was made of.

    Reads as the English text everywhere; an interface in another language translates the template
    and fills it again (`translation.translated`).
    """

    __slots__ = ("template", "values")
    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> "Sentence":
        """Return `template` with its fields filled; raises `KeyError` for one without a value."""
        sentence = super().__new__(cls, template.format_map(values))
        sentence.template = template
        sentence.values = values
        return sentence

    def __reduce__(self) -> tuple[object, ...]:
        """Return how to copy and pickle it."""
        return _filled, (self.template, self.values)


def _filled(template: str, values: dict[str, object]) -> Sentence:
    return Sentence(template, **values)
