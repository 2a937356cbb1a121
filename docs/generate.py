"""Writes the reference pages from what they describe, so that they cannot drift: `python docs/generate.py`.

`python docs/generate.py --check` exits with 1 where a page is not what would be written.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from check_examples import Example, Verdicts, load_examples, run_examples
from check_pages import index_page, page_of
from reference_pages import reference_pages

from pytest_grounded.checks.catalogue import CATALOGUE
from pytest_grounded.files import write_whole
from pytest_grounded.testing.faults import FAULTS

HERE = Path(__file__).parent


def pages(examples: Mapping[str, Example], verdicts: Verdicts) -> dict[str, str]:
    """Every page by its file name. Those of the checks show what a run over their examples says."""
    ours = {f"checks/{name}.md": page_of(info, examples.get(name), verdicts) for name, info in CATALOGUE.items()}
    return {"checks.md": index_page(CATALOGUE), "faults.md": faults_page(), **reference_pages(), **ours}


_FAULTS_INTRODUCTION = """
# Planted faults

Each of these breaks one thing in a system that is right but for that. A suite that passes with one of them in place
would pass with it in production. Which case and which check of your suites notice each of them:

```sh
python -m pytest_grounded.testing.faults --cases cases           # all, in the reference pipeline
python -m pytest_grounded.testing.faults number_changed          # one
python -m pytest_grounded.testing.faults --system my_app:answer  # in what your own system replies
```

```
number_changed (generate): every figure is another
  travel-policy/deadline-requests: number.unsupported [generation], slot.wrong_value [generation]
polite_words (generate): every answer begins with thanks
  seen by trace.changed alone
scope_ignored (select): where the requester is does not count
  ESCAPED
```

- A fault that **escapes** is a case to write: one that the fault changes. `scope_ignored` escapes where no case has a
  requester for whom another rule holds than for the next one. The exit code is 1 as long as one escapes.
- The runner stops at the first case that blames the part that is broken (the owner in brackets); `--all` goes on,
  `--format json` is for a program.
- What a case finds without the fault does not count, so a suite that does not pass yet can be tried as well.
- In the reference pipeline every fault can be planted; each suite's `reference.yaml` counts. In a **system of your
  own** those can that change a reply, whatever is behind it; a fault that breaks a stage needs the stage. A system with
  a method `fresh()` is started anew where a run would do so. Where it crashes by itself, the case and the place in its
  code are named; where it never replies, nothing was tried, and the exit code is 2.
- One of your own suites may be named alone: `--cases cases/hotel`.

In Python, in a pipeline of your own that is built of the reference stages (`Parts` takes a generator, judge, scorer or
stages; a fault breaks one thing and leaves the others):

```python
from pathlib import Path
from pytest_grounded.testing.faults import FAULTS, Parts, Trial, suites_below

cases, settings = suites_below([Path("cases")])
trial = Trial(settings=settings, parts=Parts(generator=my_generator))
for fault in FAULTS:
    print(fault.name, [noticed.case for noticed in trial.noticed(fault, cases)])
```

- In any other system: `Trial(system=assistant)`, and `[one for one in FAULTS if one.edit]`.
- Without `Trial`: `fault("scope_ignored").build(Parts(settings=...))` is the broken pipeline, to be asked by whatever
  asks yours.
- `docs/examples/faults` is a project that does this: a generator of its own, three cases, and tests that say which
  faults they notice. It runs as it stands:

```sh
cd docs/examples/faults && pytest --grounded-snapshots off
```

```python
{example}
```
"""


def faults_page() -> str:
    """Every planted fault by stage, whose failure it is, and what sees it where a single run cannot."""
    example = (HERE / "examples" / "faults" / "test_faults.py").read_text(encoding="utf-8")
    lines = [*_FAULTS_INTRODUCTION.replace("{example}", example.rstrip()).strip().splitlines(), ""]
    now = [one for one in FAULTS if not one.channel and not one.later]
    for stage, found in groupby(now, key=lambda one: one.stage):
        lines += [f"## {stage}", "", "| fault | what is broken | owner |", "| --- | --- | --- |"]
        lines += [*(f"| `{one.name}` | {one.what} | {one.owner.value} |" for one in found), ""]
    lines += ["## Leaks", "", "| fault | way out | what leaks | owner |", "| --- | --- | --- | --- |"]
    lines += [f"| `{one.name}` | {one.channel} | {one.what} | {one.owner.value} |" for one in FAULTS if one.channel]
    lines += ["", "## What a single run cannot show", "", "| fault | what is broken | seen by |", "| --- | --- | --- |"]
    lines += [f"| `{one.name}` | {one.what} | `{one.later}` |" for one in FAULTS if one.later]
    return "\n".join(lines).rstrip() + "\n"


def main(arguments: list[str]) -> int:
    """Write or check the pages."""
    examples = load_examples()
    with TemporaryDirectory() as folder:
        written = pages(examples, run_examples(examples.values(), Path(folder)))
    stale = stale_pages(written)
    if "--check" in arguments:
        return 1 if stale else 0
    for name in stale:
        if name in written:
            write_whole(HERE / name, [written[name]])
        else:
            (HERE / name).unlink()
    return 0


def stale_pages(written: Mapping[str, str]) -> list[str]:
    """The pages that are not what would be written, and those of checks that are no more."""
    gone = [f"checks/{path.name}" for path in sorted((HERE / "checks").glob("*.md"))]
    return [
        *(name for name, text in written.items() if _current(name) != text),
        *(name for name in gone if name not in written),
    ]


def _current(name: str) -> str | None:
    path = HERE / name
    return path.read_text(encoding="utf-8") if path.is_file() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
