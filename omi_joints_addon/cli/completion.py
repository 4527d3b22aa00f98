"""Print what completes commands and options in a shell.

Shells look for it in ~/.local/share/bash-completion/completions/omi-joints (bash), in a folder of
$fpath as _omi-joints (zsh), and in ~/.config/fish/completions/omi-joints.fish (fish).

examples:
  completion bash > omi-joints.bash
  completion fish > omi-joints.fish
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence

from .tool import NAME

_Options = Mapping[str, Sequence[str]]
"""Choices by option; those without are for files and free text."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("shell", choices=tuple(_SCRIPTS), help="shell to print it for")


def run(options: argparse.Namespace) -> int:
    """Print the script and return the exit code."""
    from .main import commands

    found = {name: _options(parser) for name, parser in commands().items()}
    sys.stdout.writelines(f"{line}\n" for line in _SCRIPTS[options.shell](found))
    return 0


def _options(parser: argparse.ArgumentParser) -> _Options:
    return {
        flag: [str(choice) for choice in action.choices or ()]
        for action in parser._actions  # noqa: SLF001 - argparse has no other door
        for flag in action.option_strings
        if flag.startswith("--")
    }


def _bash(commands: Mapping[str, _Options]) -> Iterator[str]:
    yield f"_{_WORD}() {{"
    yield "    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} words="
    yield '    case "${COMP_WORDS[1]} $last" in'
    for name, options in commands.items():
        for flag, choices in options.items():
            if choices:
                yield f'        "{name} {flag}") words="{" ".join(choices)}" ;;'
    yield "    esac"
    yield "    if [[ -z $words && $COMP_CWORD = 1 ]]; then"
    yield f'        words="{" ".join(commands)}"'
    yield "    elif [[ -z $words && $word = -* ]]; then"
    yield "        case ${COMP_WORDS[1]} in"
    for name, options in commands.items():
        yield f'            {name}) words="{" ".join(options)}" ;;'
    yield "        esac"
    yield "    fi"
    yield "    if [[ -n $words ]]; then"
    yield '        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")'
    yield "    else"
    yield '        mapfile -t COMPREPLY < <(compgen -f -- "$word")'
    yield "    fi"
    yield "}"
    yield f"complete -o filenames -F _{_WORD} {NAME}"


def _zsh(commands: Mapping[str, _Options]) -> Iterator[str]:
    yield f"#compdef {NAME}"
    yield "if (( CURRENT == 2 )); then"
    yield f"    compadd -- {' '.join(commands)}"
    yield "    return"
    yield "fi"
    yield 'case "$words[2] $words[CURRENT-1]" in'
    for name, options in commands.items():
        for flag, choices in options.items():
            if choices:
                yield f'    "{name} {flag}") compadd -- {" ".join(choices)}; return ;;'
    yield "esac"
    yield "if [[ $PREFIX = -* ]]; then"
    yield "    case $words[2] in"
    for name, options in commands.items():
        yield f"        {name}) compadd -- {' '.join(options)}; return ;;"
    yield "    esac"
    yield "fi"
    yield "_files"


def _fish(commands: Mapping[str, _Options]) -> Iterator[str]:
    yield f"complete -c {NAME} -n __fish_use_subcommand -f -a '{' '.join(commands)}'"
    for name, options in commands.items():
        for flag, choices in options.items():
            wanted = f" -x -a '{' '.join(choices)}'" if choices else ""
            chosen = f"-n '__fish_seen_subcommand_from {name}'"
            yield f"complete -c {NAME} {chosen} -l {flag.removeprefix('--')}{wanted}"


_WORD = NAME.replace("-", "_")
_SCRIPTS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
