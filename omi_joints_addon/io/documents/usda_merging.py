"""Edits of a layer put into its text, so that comments, order and number formats stay.

OpenUSD writes a text anew. What it writes of the layer before and after an edit tells which
statements changed; these are changed in the text as it is.
"""

from dataclasses import dataclass, field

from .splices import Span, UneditableError, line_end, spliced
from .usda_source import Block, Statement, scanned


def merged_text(own: str, before: str, after: str) -> str:
    """Return a text with what differs between its layer before and after an edit.

    Raises `UneditableError` where the places of the differences are not certain.
    """
    if own == before:
        # OpenUSD itself has written it.
        return after
    merge = _Merge(own, before, after)
    one, two, three = map(scanned, (own, before, after))
    merge.take(one, two, three, depth=0)
    return spliced(own, merge.splices)


@dataclass(slots=True)
class _Merge:
    """A text as it is, what OpenUSD writes of it before and after, and what that changes."""

    own: str
    before: str
    after: str
    splices: list[tuple[Span, str]] = field(default_factory=list)

    def take(self, own: Block, before: Block, after: Block, depth: int) -> None:
        """Take what is to change within a prim; `depth` is that of what is in its body."""
        self._take_header(own, before, after)
        if before.metadata and not after.metadata and own.metadata_end is not None:
            self._put(own.header, own.metadata_end + 1, "")
        elif new := self._take_statements(own.metadata, before.metadata, after.metadata):
            self._insert_metadata(own, new, depth)
        properties = self._take_statements(own.properties, before.properties, after.properties)
        blocks = []
        for name, child in after.children.items():
            if name not in before.children:
                blocks.append(self.after[child.start : child.end])
            elif name not in own.children:
                raise UneditableError
            else:
                self.take(own.children[name], before.children[name], child, depth + 1)
        if before.children.keys() - after.children.keys():
            raise UneditableError
        if properties or blocks:
            self._insert(own, properties, blocks, depth)

    def _take_header(self, own: Block, before: Block, after: Block) -> None:
        """Take another type of a prim."""
        header = self.after[after.start : after.header]
        if header != self.before[before.start : before.header]:
            self._put(own.start, own.header, header)

    def _take_statements(
        self,
        own: dict[str, Statement],
        before: dict[str, Statement],
        after: dict[str, Statement],
    ) -> list[str]:
        """Take changes of statements; return the texts of new ones."""
        new = []
        for key, statement in after.items():
            text, one = self.after[statement.start : statement.end], before.get(key)
            if one is None:
                new.append(text)
            elif text != self.before[one.start : one.end]:
                self._change(own.get(key), statement)
        for key in before.keys() - after.keys():
            self._remove(own.get(key))
        return new

    def _change(self, own: Statement | None, statement: Statement) -> None:
        """Change a statement; before its value the text may have other spaces, which stay."""
        if own is None:
            raise UneditableError
        is_value = own.value < own.end and statement.value < statement.end
        start, first = (own.value, statement.value) if is_value else (own.start, statement.start)
        self._put(start, own.end, self.after[first : statement.end])

    def _remove(self, statement: Statement | None) -> None:
        """Remove a statement, with its line where that holds nothing else."""
        if statement is None:
            raise UneditableError
        start, end = self._line_start(statement.start), self.own.find("\n", statement.end)
        if start is None or end < 0 or self.own[statement.end : end].strip():
            self._put(statement.start, statement.end, "")
        else:
            self._put(start, end + 1, "")

    def _insert_metadata(self, own: Block, new: list[str], depth: int) -> None:
        inner = "".join(self._line(text, depth) for text in new)
        if own.metadata_end is None:
            text = f" ({line_end(self.own)}{inner}{self._indent(depth - 1)})"
            self._put(own.header, own.header, text)
            return
        at = self._line_start(own.metadata_end)
        if at is not None:
            self._put(at, at, inner)
            return
        if any("\n" in text for text in new):
            inner = line_end(self.own) + inner + self._indent(depth - 1)
            self._put(own.metadata_end, own.metadata_end, inner)
            return
        last = max(each.end for each in own.metadata.values())
        text = "".join(f"; {text}" for text in new)
        self._put(last, last, text)

    def _insert(self, own: Block, new: list[str], blocks: list[str], depth: int) -> None:
        """Insert properties behind those that are there, and prims at the end."""
        if own.body is None:
            raise UneditableError
        ends = [each.end for each in own.properties.values()]
        if ends and new:
            line = self.own.find("\n", max(ends))
            at = len(self.own) if line < 0 else line + 1
            self._put(at, at, "".join(self._line(text, depth) for text in new))
            new = []
        texts = [self._line(text, depth) for text in new]
        texts += [line_end(self.own) + self._line(text, depth) for text in blocks]
        close = own.body[1]
        start = close if close == len(self.own) else self._line_start(close)
        if not texts:
            return
        if start is None:
            # All of the body is in one line.
            inner = line_end(self.own) + "".join(texts) + self._indent(depth - 1)
            self._put(close, close, inner)
        else:
            self._put(start, start, "".join(texts))

    def _put(self, start: int, end: int, text: str) -> None:
        self.splices.append(((start, end), text))

    def _line_start(self, at: int) -> int | None:
        """Return where a line starts that has nothing but space before a place."""
        start = self.own.rfind("\n", 0, at) + 1
        return None if self.own[start:at].strip() else start

    def _indent(self, depth: int) -> str:
        return ("\t" if "\n\t" in self.own else "    ") * depth

    def _line(self, text: str, depth: int) -> str:
        """Return a statement or a prim as lines; those of OpenUSD are indented by depth, too."""
        first, *rest = text.split("\n")
        lines = [self._indent(depth) + first]
        for line in rest:
            bare = line.lstrip(" ")
            lines.append(self._indent((len(line) - len(bare)) // 4) + bare if bare else "")
        return line_end(self.own).join(lines) + line_end(self.own)
