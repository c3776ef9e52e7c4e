"""Completion in bash, zsh and fish: their scripts, and how each takes and inserts words.

A script passes the line up to the cursor in COMP_LINE and receives one completion per line, or the
word "file" or "dir" to complete a path itself. The classes extend those of click, which neither
quote names, nor complete words with = or : alike in every shell.
"""

from __future__ import annotations

import os
import shlex
from typing import Any, NamedTuple

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)

BASH_WORD_BREAKS = " \t\n\"'><=;|&(:"
"""Characters at which bash splits words by default, even inside a name."""

BASH_SCRIPT = """\
%(complete_func)s() {
    local kind value
    COMPREPLY=()
    while IFS=, read -r kind value; do
        case $kind in
            plain) COMPREPLY+=("$value") ;;
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
        esac
    done < <(
        COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \\
            %(complete_var)s=bash_complete "$1"
    )
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

ZSH_SCRIPT = """\
#compdef %(prog_name)s

_%(prog_name)s() {
    local kind value help
    local -a answer plain described
    (( $+commands[%(prog_name)s] )) || return 1
    answer=("${(@f)$(
        COMP_LINE="${(j: :)words[1,CURRENT]}" %(complete_var)s=zsh_complete %(prog_name)s
    )}")
    [[ $PREFIX == --*=* ]] && compset -P 1 '*='
    for kind value help in "${(@)answer}"; do
        case $kind in
            plain)
                if [[ -n $help ]]; then
                    described+=("${value//:/\\\\:}:$help")
                else
                    plain+=("$value")
                fi ;;
            dir) _path_files -/ ;;
            file) _path_files -f ;;
        esac
    done
    (( $#described )) && _describe -V '%(prog_name)s' described
    (( $#plain )) && compadd -V '%(prog_name)s' -a plain
}

# As a file in fpath this defines and calls the function; otherwise it registers the function.
if [[ $funcstack[1] == _%(prog_name)s ]]; then
    _%(prog_name)s "$@"
else
    compdef _%(prog_name)s %(prog_name)s
fi
"""

FISH_SCRIPT = """\
function %(complete_func)s
    set -l word (commandline -ct)
    set -l option (string match --regex -- '^--[^=]*=' $word)
    set -l path (string replace --regex -- '^--[^=]*=' '' $word)
    set -l line (commandline -cp | string collect)
    for answer in (COMP_LINE=$line %(complete_var)s=fish_complete %(prog_name)s)
        set -l part (string split --max 1 , -- $answer)
        switch $part[1]
            case plain
                printf '%%s%%s\\n' "$option" $part[2]
            case dir
                printf '%%s%%s\\n' "$option"(__fish_complete_directories $path)
            case file
                printf '%%s%%s\\n' "$option"(complete --do-complete "'' $path")
        end
    end
end
complete --no-files --command %(prog_name)s --arguments '(%(complete_func)s)'
"""


class TypedWord(NamedTuple):
    """The last word of a command line: as it was typed, its text, and its open quote, if any."""

    typed: str
    text: str
    quote: str


def split_line(line: str) -> tuple[list[str], TypedWord]:
    r"""The complete words of a command line, and the last one, which may be empty or unfinished.

    Example:
        >>> words, last = split_line(r"tradeoff evaluate my\ file.csv --score 'sc")
        >>> words, last.text, last.quote
        (['tradeoff', 'evaluate', 'my file.csv', '--score'], 'sc', "'")
        >>> split_line("tradeoff ")[1].text
        ''
    """
    words: list[str] = []
    start, text, quote, in_word = len(line), "", "", False
    index = 0
    while index < len(line):
        character = line[index]
        if not in_word and not character.isspace():
            start, text, in_word = index, "", True
        if not in_word:
            pass
        elif quote:
            if character == quote:
                quote = ""
            elif (
                character == "\\" and quote == '"' and line[index + 1 : index + 2] in tuple('"\\$`')
            ):
                index += 1
                text += line[index]
            else:
                text += character
        elif character in "\"'":
            quote = character
        elif character == "\\":
            index += 1
            text += line[index : index + 1]
        elif character.isspace():
            words.append(text)
            start, text, in_word = len(line), "", False
        else:
            text += character
        index += 1
    return words, TypedWord(line[start:], text, quote)


class _Completion(ShellComplete):
    """What the three shells have in common: the words, from the line up to the cursor."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Complete arguments of the program, and the text of the word at the cursor."""
        words, last = split_line(os.environ["COMP_LINE"])
        return words[1:], last.text


class BashCompletion(_Completion, BashComplete):
    """Completion for bash, which inserts text as it is: names are quoted for it."""

    source_template = BASH_SCRIPT

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Type and text of a completion, without what bash leaves of the typed word."""
        if item.type != "plain":
            return item.type
        _, last = split_line(os.environ["COMP_LINE"])
        option, equals, _ = last.text.partition("=")
        value = str(item.value)
        if equals and option.startswith("--"):
            value = f"{option}={value}"
        if last.quote:
            before = split_line(f" {last.typed.rpartition(last.quote)[0]}")[1].text
            return f"plain,{_inside_quote(value[len(before) :], last.quote)}"
        breaks = set(os.environ.get("COMP_WORDBREAKS", BASH_WORD_BREAKS)) & set("=:@")
        end = max((last.typed.rfind(character) for character in breaks), default=-1) + 1
        before = split_line(f" {last.typed[:end]}")[1].text
        return f"plain,{_quoted(value[len(before) :])}"


class ZshCompletion(_Completion, ZshComplete):
    """Completion for zsh, which quotes what it inserts; three lines per completion."""

    source_template = ZSH_SCRIPT

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Type, text and description of a completion."""
        return f"{item.type}\n{item.value}\n{_one_line(item.help)}"


class FishCompletion(_Completion, FishComplete):
    """Completion for fish, which quotes what it inserts; a tab precedes the description."""

    source_template = FISH_SCRIPT

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Type, text and description of a completion."""
        description = f"\t{_one_line(item.help)}" if item.help else ""
        return f"{item.type},{item.value}{description}"


SHELLS: dict[str, type[ShellComplete]] = {
    "bash": BashCompletion,
    "zsh": ZshCompletion,
    "fish": FishCompletion,
}
"""Completion class of each shell."""


def register_shells() -> None:
    """Make click use the completion classes of `SHELLS`."""
    for name, shell in SHELLS.items():
        add_completion_class(shell, name)


def _one_line(description: str | None) -> str:
    return " ".join((description or "").split())


def _quoted(text: str) -> str:
    """Text quoted for a shell; a word that is empty or safe is not quoted."""
    return shlex.quote(text) if text else ""


def _inside_quote(text: str, quote: str) -> str:
    """Text as it is written after an opening quote, which the shell closes itself."""
    if quote == "'":
        return text.replace("'", "'\"'\"'")
    for character in '\\"$`':
        text = text.replace(character, f"\\{character}")
    return text
