from pytest_grounded.reporting.changes import change_lines


def test_of_many_cases_close_to_the_tolerance_a_few_are_listed() -> None:
    trace = {"status": "same", "message": "numbers moved", "first_divergence": None, "show": "", "accept": ""}
    rows = [{"suite": "s", "case": f"c{number}", "trace": trace} for number in range(5)]
    assert change_lines(rows, {}) == [
        "traces: 5 same",
        "close to the tolerance x5",
        "  s/c0: numbers moved",
        "  s/c1: numbers moved",
        "  s/c2: numbers moved",
        "  and 2 more; all are in the results: --grounded-results FILE",
    ]
