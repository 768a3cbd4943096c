"""Sessions as text: lines that are piped in, and the commands of a file or transcript."""

from collections.abc import Iterable, Iterator

from acausal.repl.entry import goes_on, is_open_comment

PROMPTS = ("> ", "- ")


def commands_of(text: str) -> list[str]:
    """The lines of a file of commands: of a transcript those behind a prompt, else all."""
    lines = text.splitlines()
    if not any(line.startswith(PROMPTS[0]) for line in lines):
        return list(joined(lines))
    found: list[str] = []
    for line in lines:
        if line.startswith(PROMPTS[1]) and found and goes_on(found[-1]):
            found[-1] += "\n" + line[len(PROMPTS[1]) :]
        elif line.startswith(PROMPTS) or line in (">", "-"):
            found.append(line[len(PROMPTS[0]) :])
    return found


def echo(prompt: str, line: str) -> str:
    """The input as a transcript has it: further lines of it behind the second prompt."""
    return f"{prompt}{line.rstrip()}".replace("\n", f"\n{PROMPTS[1]}")


def joined(lines: Iterable[str]) -> Iterator[str]:
    """Lines; to one that is not finished those are appended that begin with a blank, or end an open comment."""
    waiting = ""
    for line in lines:
        text = line.rstrip("\n")
        if waiting and (is_open_comment(waiting) or (text[:1].isspace() and text.strip())):
            waiting = f"{waiting}\n{text}"
        else:
            if waiting:
                yield waiting
            waiting = text
        if not goes_on(waiting):
            yield waiting
            waiting = ""
    if waiting:
        yield waiting
