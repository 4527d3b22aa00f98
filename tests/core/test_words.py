"""Names, docstrings, comments and file names use the field's words (CONTRIBUTING.md, Words)."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

NAMES = re.compile(r"(?:^|_)(?:un)?(?:said|told|noted)(?:_|$)|is_much|Said|Told|Unsaid|Noted")
PROSE = re.compile(
    r"\b(?:[Uu]n)?[Ss]aid\b|\b[Tt]old\b|\b[Nn]oted\b"
    r"|without a word|round in a circle|\bh[au]ng(?:s|ing)? (?:on|from|by|together)\b"
    r"|(?<!there )\b(?:is|are) none\b"
    r"|(?<!there )\b(?:is|are) no (?:object|file|mesh|body|shape|joint|number|link|node|name)s?\b"
)
SHOWN = re.compile(
    r"(?<!there )\b(?:is|are) no (?!longer|more)[a-z]|\bis none of\b"
    r"|\bis there already\b|\bno words? for\b"
    r"|\b(?:file|document|panel)s? (?:says?|tells?)\b|\brefuses?d?\b"
    r"|\b(?:hangs?|hung) (?:on|from)\b"
    r"|\bcolours?\b|\bgrey\b|\btowards\b|\b(?:centi|milli|kilo)?metres?\b|\bcentres?\b"
)
"""What texts that users read are not to have (the first table)."""
DEEPER = {3: [("io", "formats"), ("core", "engines")], 2: [("io",)]}
"""Rooms whose own rooms are apart, by the number of names in their paths."""
BEFORE_DOCSTRING = (
    tokenize.ENCODING,
    tokenize.NEWLINE,
    tokenize.NL,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.COMMENT,
)


def words_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of names, docstrings and comments that have words of the list."""
    before = tokenize.ENCODING
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_docstring = token.type == tokenize.STRING and before in BEFORE_DOCSTRING
        if token.type == tokenize.NAME and NAMES.search(token.string):
            yield token.start[0], token.string
        if is_docstring or token.type == tokenize.COMMENT:
            prose = " ".join(token.string.split())
            yield from ((token.start[0], found[0]) for found in PROSE.finditer(prose))
        before = token.type


@pytest.mark.parametrize("folder", ["omi_joints_addon", "omi_joints", "tools"])
def test_code_uses_the_words_of_the_field(repository: Path, folder: str) -> None:
    files = sorted((repository / folder).rglob("*.py"))
    assert files
    wrong = [
        f"{file.relative_to(repository)}:{line}: {word}"
        for file in files
        for line, word in words_of(file.read_text("utf-8"))
    ]
    wrong += [str(file) for file in files if NAMES.search(file.stem)]
    assert not wrong


@pytest.mark.parametrize(
    "text",
    [
        "said = 1\n",
        "def is_told_once(): ...\n",
        "class _Unsaid: ...\n",
        '"""A value that is none."""\n',
        "x = -1\n# It hangs on a body.\n",
        'def f():\n    """Return what is\n    no object."""\n',
    ],
)
def test_a_word_of_the_list_is_found(text: str) -> None:
    assert list(words_of(text))


def texts_in(code: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of sentences that are not docstrings, but for those of operators."""
    tree = ast.parse(code)
    apart = set()
    for node in ast.walk(tree):
        is_shown = isinstance(node, ast.ClassDef) and "_OT_" in node.name
        inner = getattr(node, "body", None)
        for each in inner if isinstance(inner, list) and not is_shown else ():
            if isinstance(each, ast.Expr):
                apart.add(each.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in apart:
            yield node.lineno, node.value


def test_texts_use_the_words_of_the_field(repository: Path) -> None:
    wrong = [
        f"{file.relative_to(repository)}:{line}: {found[0]}"
        for file in sorted((repository / "omi_joints_addon").rglob("*.py"))
        for line, text in texts_in(file.read_text("utf-8"))
        for found in SHOWN.finditer(text)
        if " " in text
    ]
    assert not wrong


def test_a_text_is_found_and_a_docstring_is_not() -> None:
    code = 'class OMI_OT_x:\n    """Is no body"""\n    text = "a is no file"\n"""Is no body."""\n'
    assert [line for line, text in texts_in(code) if SHOWN.search(text.lower())] == [2, 3]


def classes_by_room(package: Path) -> dict[tuple[str, ...], dict[str, list[Path]]]:
    """Return where public classes are by room and name; each format and engine is a room."""
    rooms: dict[tuple[str, ...], dict[str, list[Path]]] = {}
    for path in package.rglob("*.py"):
        parts = path.relative_to(package).with_suffix("").parts
        depth = next((n for n, start in DEEPER.items() if parts[: n - 1] in start), 1)
        names = rooms.setdefault(parts[:depth], {})
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                names.setdefault(node.name, []).append(path)
    return rooms


def test_classes_of_a_room_do_not_share_a_name(repository: Path) -> None:
    rooms = classes_by_room(repository / "omi_joints_addon")
    assert len(rooms) > 20
    twice = [paths for names in rooms.values() for paths in names.values() if len(paths) > 1]
    assert not twice


def test_values_and_other_words_are_left_alone() -> None:
    assert not list(words_of('x = "told"\n"""None where there is none."""\nunsaidly = aside = 1\n'))
