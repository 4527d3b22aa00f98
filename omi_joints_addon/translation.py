"""Texts of the interface in the user's language.

Blender itself translates the names and descriptions of what is registered, and plain labels. What
is filled with values comes through here: the template is translated, then filled.
`tools/messages.py` collects both kinds.
"""

from typing import Any

import bpy

from .classes import OperatorResult
from .core.findings.sentence import Sentence


def translated(text: str | Exception, /, **values: object) -> str:
    """Return a text in the user's language, its named fields filled with `values`.

    A `Sentence` brings its own template and values; those that are sentences are translated too. An
    exception stands for its message.
    """
    if isinstance(text, Exception):
        text = text.args[0] if text.args and isinstance(text.args[0], str) else str(text)
    if isinstance(text, Sentence):
        values, text = text.values, text.template
    translate: Any = bpy.app.translations.pgettext_rpt  # declared without its result
    template: str = translate(text)
    if not values:
        return template
    words = (Sentence, Exception)
    shown = {n: translated(v) if isinstance(v, words) else v for n, v in values.items()}
    return template.format_map(shown)


def report(operator: Any, kind: str, text: str | Exception, /, **values: object) -> None:
    """Report a text of an operator in the user's language; `kind` is INFO, WARNING or ERROR."""
    operator.report({kind}, translated(text, **values))


def refused(operator: Any, kind: str, text: str | Exception, /, **values: object) -> OperatorResult:
    """Report why an operator changes nothing, and return that it did not (see `report`)."""
    report(operator, kind, text, **values)
    return {"CANCELLED"}


def popup(text: str | Exception, /, **values: object) -> None:
    """Show in the user's language why nothing changes, where no operator can report it."""
    shown = translated(text, **values)

    def draw(menu: Any, _context: bpy.types.Context) -> None:
        menu.layout.label(text=shown, translate=False)

    bpy.data.window_managers[0].popup_menu(draw, icon="ERROR")
