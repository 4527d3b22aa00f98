"""Rules: values that are called to make findings, each defined and raised by the code."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from omi_joints_addon.core.findings import finding
from omi_joints_addon.core.findings.finding import WARNING, Finding, Rule, rule, rules
from tests.core.package_trees import package_trees

_CODE = re.compile(r"OMI-[A-Z]\d{3}")


@pytest.fixture
def soft(monkeypatch: pytest.MonkeyPatch) -> Rule:
    """Return a rule that no other test sees."""
    monkeypatch.setattr(finding, "_rules", {})
    sentence = "limit {number} sags {sag:.2f} m"
    return rule("OMI-X999", WARNING, sentence, reason="A rule of this test.")


def test_calling_a_rule_makes_a_finding(soft: Rule) -> None:
    found = soft("Hinge", "/limits/1", number=2, sag=0.125)
    assert found == Finding(soft, "Hinge", "limit 2 sags 0.12 m", "/limits/1")
    assert (found.code, found.severity) == ("OMI-X999", WARNING)
    assert str(found) == "warning OMI-X999 Hinge: limit 2 sags 0.12 m"


@pytest.mark.parametrize("values", [{"number": 2}, {"number": 2, "sag": 0.1, "more": 1}, {}])
def test_missing_and_unknown_parameters_are_refused(soft: Rule, values: dict[str, float]) -> None:
    with pytest.raises(TypeError, match="OMI-X999"):
        soft("Hinge", **values)


def test_a_number_is_no_text(soft: Rule) -> None:
    with pytest.raises(ValueError, match="format code"):
        soft("Hinge", number=2, sag="much")


def test_a_code_used_twice_is_refused(soft: Rule) -> None:
    with pytest.raises(ValueError, match="OMI-X999"):
        rule(soft.code, WARNING, "another", reason="No.")


@pytest.mark.slow
def test_sentences_read_well(repository: Path) -> None:
    defined = {code: call for _, code, call in _definitions(repository)}
    assert len(defined) > 100
    for code, one in rules().items():
        assert re.fullmatch(r"OMI-[A-Z]\d{3}", code)
        assert not one.sentence.endswith("."), code
        assert one.reason.endswith("."), code


@pytest.mark.slow
def test_every_rule_is_raised(repository: Path) -> None:
    """A rule that no line names but its definition and imports is never raised."""
    used: set[str] = set()
    for tree in _modules(repository):
        used |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and _is_read(n)}
        used |= {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
        used |= set(_codes_outside_definitions(tree))
    never = [code for name, code, _ in _definitions(repository) if not {name, code} & used]
    assert not never


@pytest.mark.slow
def test_calls_give_the_parameters(repository: Path) -> None:
    """What a check would only meet when it finds something is seen without."""
    modules = package_trees(repository)
    defined = {name: dict(_rules_in(tree)) for name, tree in modules.items()}
    for module, tree in modules.items():
        known = defined[module] | dict(_imported(module, tree, defined))
        for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call)):
            name = call.func.id if isinstance(call.func, ast.Name) else ""
            given = {keyword.arg for keyword in call.keywords}
            if name in known and None not in given:
                assert given == _parameters(known[name]), f"{module}: {ast.unparse(call)}"


def _rules_in(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and _is_rule(node.value):
            assert isinstance(node.targets[0], ast.Name)
            assert isinstance(node.value, ast.Call)
            yield node.targets[0].id, node.value


def _imported(
    module: str, tree: ast.Module, defined: dict[str, dict[str, ast.Call]]
) -> Iterator[tuple[str, ast.Call]]:
    """Yield the rules of other modules that a module names."""
    for node in (n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)):
        above = module.rsplit(".", node.level)[0]
        there = defined.get(f"{above}.{node.module}", {}) if node.level else {}
        for alias in node.names:
            if alias.name in there:
                yield alias.asname or alias.name, there[alias.name]


def _modules(repository: Path) -> Iterable[ast.Module]:
    return package_trees(repository).values()


def _definitions(repository: Path) -> Iterator[tuple[str, str, ast.Call]]:
    """Yield name, code and call of each rule."""
    for tree in _modules(repository):
        for name, call in _rules_in(tree):
            yield name, ast.literal_eval(call.args[0]), call


def _is_rule(node: ast.expr) -> bool:
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return is_call and node.func.id == "rule"


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _codes_outside_definitions(tree: ast.Module) -> Iterator[str]:
    for part in tree.body:
        if not (isinstance(part, ast.Assign) and _is_rule(part.value)):
            for node in ast.walk(part):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield from _CODE.findall(node.value)


def _parameters(call: ast.Call) -> set[str]:
    sentence = ast.literal_eval(call.args[2])
    return set(re.findall(r"(?<!\{)\{(\w+)", sentence))
