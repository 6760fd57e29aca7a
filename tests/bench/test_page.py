"""The table of `make bench-page`; the measurements themselves take minutes in a browser."""

import pytest

from tests.bench.page import Figure


@pytest.mark.parametrize(
    ("value", "sign", "met"), [(99.0, "≤", True), (101.0, "≤", False), (101.0, "≥", True), (99.0, "≥", False)]
)
def test_a_figure_is_compared_with_its_target(value: float, sign: str, met: bool) -> None:
    figure = Figure("painted", value, "ms", sign, 100.0)
    assert figure.met is met
    mark = "[green]✓[/]" if met else "[bold red]✗[/]"
    assert figure.row == ("painted", f"{value:.1f} ms", f"{sign} 100 ms {mark}")
