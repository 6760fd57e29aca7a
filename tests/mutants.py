"""Do the quick tests of a package find faults in it? Changes its code in one place at a time and runs them.

    make mutants PACKAGE=domain/tournaments
    .venv/bin/python -m tests.mutants service/trust --mutants 60 --seed 2

A mutant has one comparison, operator, boolean or number changed. It is found if a test fails, or if the tests
do not end. Mutants that decide nothing differently count as not found. The same seed gives the same mutants,
as long as the code is the same. Of the tests, those that run the changed line come first, then all.
"""

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

from coverage import CoverageData
from rich.console import Console
from rich.progress import Progress

ROOT = Path(__file__).parents[1]
WANTED = 0.9
"""The share of mutants that the tests of a package must find."""
PYTEST = [sys.executable, "-m", "pytest", "-qq", "-m", "not slow and not e2e"]
PYTEST += [option for plugin in ("cacheprovider", "xdist") for option in ("-p", f"no:{plugin}")]
MOST_FIRST = 40
"""The most tests that run before all others."""
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Add,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}


@dataclass(frozen=True)
class Mutant:
    """One changed expression: the bytes of its file from `start` to `end` become `new`."""

    path: Path
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.old}  →  {self.new}"


def changed(node: ast.expr) -> Iterator[ast.expr]:
    """The expressions that may take the place of this one."""
    other: ast.expr = copy.deepcopy(node)
    match other:
        case ast.Compare(ops=[operation]) if type(operation) in COMPARISONS:
            other.ops = [COMPARISONS[type(operation)]()]
        case ast.BoolOp():
            other.op = ast.Or() if isinstance(other.op, ast.And) else ast.And()
        case ast.BinOp() if type(other.op) in OPERATORS and not _of_texts_or_types(other):
            other.op = OPERATORS[type(other.op)]()
        case ast.UnaryOp(op=ast.Not()):
            other = other.operand
        case ast.Constant(value=bool() as flag):
            other.value = not flag
        case ast.Constant(value=(int() | float()) as number):
            other.value = number + 1
        case _:
            return
    yield other


def _of_texts_or_types(node: ast.BinOp) -> bool:
    """Whether this joins texts or names types, so that another operator is an error at once."""
    parts = [part for part in ast.walk(node) if isinstance(part, ast.Constant)]
    return any(isinstance(part.value, str | bytes | None) for part in parts)


def code_of(module: ast.AST) -> Iterator[ast.expr]:
    """All expressions in functions, without annotations, default texts and docstrings."""
    for function in ast.walk(module):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in function.body:
                yield from _expressions(statement)


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return  # visited by itself
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for part in field if isinstance(field, list) else [field]:
            if isinstance(part, ast.AST):
                yield from _expressions(part)
    if isinstance(node, ast.expr):
        yield node


def mutants_of(folder: str) -> list[Mutant]:
    """All mutants of the modules of a package, in order."""
    found = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        source = path.read_bytes()
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        for node in code_of(ast.parse(source)):
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
            old = " ".join(source[start:end].decode().split())
            for other in changed(node):
                relative = path.relative_to(ROOT)
                found.append(Mutant(relative, node.lineno, start, end, old, f"({ast.unparse(other)})"))
    return found


def tests_of(package: str) -> str:
    """The tests of a package: the folder like it, or else that of the nearest package around it."""
    paths = [Path("tests") / package, *(Path("tests") / package).parents]
    return str(next(path for path in paths if (ROOT / path).is_dir()))


class Tree:
    """A copy of the checkout in which one mutant at a time is tested."""

    def __init__(self, folder: Path, package: str) -> None:
        self._folder, self._package, self._tests = folder, package, tests_of(package)
        names = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
        for name in filter(None, names.split("\0")):
            if (ROOT / name).is_symlink() or (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)

    def tests_by_line(self) -> dict[tuple[Path, int], list[str]]:
        """The tests that run each line, those that run the fewest lines first; fails if a test does."""
        file = self._folder / ".coverage"
        package = f"kontor_games.{self._package.replace('/', '.')}"
        options = [f"--cov={package}", "--cov-context=test", "--cov-report=", "--cov-fail-under=0"]
        environment = {**os.environ, "COVERAGE_FILE": str(file)}
        subprocess.run([*PYTEST, *options, self._tests], cwd=self._folder, env=environment, check=True)
        data = CoverageData(str(file))
        data.read()
        tests = defaultdict[tuple[Path, int], set[str]](set)
        for measured in data.measured_files():
            path = Path(measured).resolve().relative_to(self._folder.resolve())
            for line, contexts in data.contexts_by_lineno(measured).items():
                tests[path, line] |= {context.rpartition("|")[0] for context in contexts if "|" in context}
        size = Counter(test for found in tests.values() for test in found)
        return {place: sorted(found, key=lambda test: (size[test], test)) for place, found in tests.items()}

    def finds(self, mutant: Mutant, first: list[str], limit: float) -> bool:
        """Whether a test fails with this change: one of the first, or of all."""
        path = self._folder / mutant.path
        source = path.read_bytes()
        path.write_bytes(source[: mutant.start] + mutant.new.encode() + source[mutant.end :])
        self._forget(path)
        try:
            return (bool(first) and self._fails(first, limit)) or self._fails([self._tests], limit)
        finally:
            path.write_bytes(source)
            self._forget(path)

    def _forget(self, path: Path) -> None:
        """Remove the bytecode of a module, which would be used if only a character has changed."""
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()

    def _fails(self, tests: list[str], limit: float) -> bool:
        command = [*PYTEST, "-x", "-p", "no:cov", *tests]
        try:
            run = subprocess.run(command, cwd=self._folder, capture_output=True, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            return True
        return run.returncode != 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("package", help="a folder, such as service/people or domain/games/europe/rules")
    parser.add_argument("--mutants", type=int, default=30, help="how many to sample (default: 30)")
    parser.add_argument("--seed", default="1", help="which ones (default: 1)")
    parser.add_argument("--jobs", type=int, default=2, help="how many to test at a time (default: 2)")
    parser.add_argument("--limit", type=float, default=300, help="seconds the tests may take (default: 300)")
    return parser.parse_args()


def main() -> int:
    given, console = arguments(), Console()
    folder = given.package.strip("/")
    every = mutants_of(folder)
    sample = random.Random(given.seed).sample(every, min(given.mutants, len(every)))
    sample.sort(key=lambda mutant: (mutant.path, mutant.start))
    console.print(
        f"{len(sample)} of {len(every)} mutants of {folder}, tested by the quick tests in tests/{folder}"
    )
    parent = ROOT / "build/mutants" / folder
    shutil.rmtree(parent, ignore_errors=True)
    trees: Queue[Tree] = Queue()
    for number in range(given.jobs):
        trees.put(Tree(parent / str(number), folder))
    by_line = trees.queue[0].tests_by_line()

    def is_found(mutant: Mutant) -> bool:
        tree = trees.get()
        try:
            return tree.finds(mutant, by_line.get((mutant.path, mutant.line), [])[:MOST_FIRST], given.limit)
        finally:
            trees.put(tree)

    missed = []
    with Progress(console=console) as progress, ThreadPoolExecutor(given.jobs) as pool:
        task = progress.add_task("Testing", total=len(sample))
        for mutant, found in zip(sample, pool.map(is_found, sample), strict=True):
            progress.update(task, advance=1)
            if not found:
                missed.append(mutant)
                progress.console.print(f"not found: {mutant}", markup=False, highlight=False)
    shutil.rmtree(parent)
    share = 1 - len(missed) / len(sample)
    console.print(f"{len(sample) - len(missed)} of {len(sample)} found: {share:.0%} (wanted: {WANTED:.0%})")
    return int(share < WANTED)


if __name__ == "__main__":
    sys.exit(main())
