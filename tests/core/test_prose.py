"""Pages are read once: short sentences, and the words of CONTRIBUTING (Words)."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parents[2]
GENERATED = ("checks.md", "engines.md", "next_steps.md")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
PAGES += [page for page in sorted((ROOT / "docs").glob("*.md")) if page.name not in GENERATED]
PAGES += sorted((ROOT / "docs" / "how-to").glob("*.md"))
PAGES += sorted((ROOT / "docs" / "tutorials").glob("*.md"))
LONGEST = 30
"""Words of a sentence; a link, a name in code or a key counts as one."""
END = re.compile(r"(?<=[.!?:])\s+")
WORDS = re.compile(
    r"\bsa(?:ys|id) (?:so|which|what|how)\b|\ball else\b|\bby (?:a button|one click)\b"
    r"|\b(?:hangs|hung) (?:on|from)\b|\bknows? nothing of\b|\bwithout a word\b"
)
OF_ROPES = ("rope.md", "rope-over-beam.md", "door.md")
"""Pages on which things do hang."""


def paragraphs(text: str) -> Iterator[str]:
    """Yield paragraphs and items of lists without code, links, pictures and tables."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    text = re.sub(r"!\[[^]]*\]\([^)]*\)|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    lines = []
    for line in text.splitlines():
        is_prose = not line.startswith(("|", "#", "    ")) or bool(lines and line.strip())
        starts = not line.strip() or re.match(r"\s*(?:[-*]|\d+\.) ", line)
        if (starts or not is_prose) and lines:
            yield " ".join(lines)
            lines = []
        if is_prose and line.strip():
            lines.append(line.strip())
    yield " ".join(lines)


def sentences(page: Path) -> Iterator[str]:
    """Yield the sentences of a page and the parts of those with colons."""
    for paragraph in paragraphs(page.read_text("utf-8")):
        yield from END.split(paragraph)


def length(sentence: str) -> int:
    """Return the number of words."""
    plain = re.sub(r"`[^`]*`|(?:<kbd>[^<]*</kbd>\s*)+", "x", sentence)
    return sum(bool(re.search(r"\w", word)) for word in plain.split())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sentences_are_short(page: Path) -> None:
    long = [sentence for sentence in sentences(page) if length(sentence) > LONGEST]
    assert not long, f"more than {LONGEST} words: make two sentences of each"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_use_plain_words(page: Path) -> None:
    text = re.sub(r"`[^`]*`", "", " ".join(paragraphs(page.read_text("utf-8"))))
    wrong = [match[0] for match in WORDS.finditer(text)]
    assert not wrong or page.name in OF_ROPES
