"""Traces in a pytest run: the store and options of the run, the fixture `trace_snapshot`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounded.harness.tracing import Tracing, trace_record
from pytest_grounded.plugin import RECORDS, options
from pytest_grounded.plugin.commands import commands_for
from pytest_grounded.redaction import Redactor
from pytest_grounded.snapshots.checking import TraceCheck, TraceOptions
from pytest_grounded.snapshots.policy import Drift, Mode
from pytest_grounded.snapshots.store import SnapshotStore

if TYPE_CHECKING:
    from pytest_grounded.plugin.handle import GroundedCase

__all__ = ["make_tracing", "trace_snapshot_of"]


def make_tracing(config: pytest.Config) -> Tracing:
    """Where this run keeps its traces, and what it does with them."""
    folder = options.run_dir(config)
    return Tracing(
        store=SnapshotStore(config.rootpath, folder),
        options=TraceOptions(
            mode=Mode(options.snapshot_mode(config)),
            drift=Drift(config.getoption("grounded_drift")),
            ci=options.is_ci(),
            run_dir=folder is not None,
        ),
    )


def trace_snapshot_of(request: pytest.FixtureRequest, handle: GroundedCase, tracing: Tracing) -> Any:
    """What a hand-written test compares the trace of its case with; the test is skipped where no trace is compared."""
    if tracing.options.mode is Mode.OFF:
        pytest.skip("no trace is compared: --grounded-snapshots off")
    if not request.config.pluginmanager.hasplugin("syrupy"):
        pytest.fail("the fixture trace_snapshot needs the plugin syrupy, which is turned off here", pytrace=False)
    from pytest_grounded.snapshots.syrupy_extension import TracedCase, trace_assertion

    case = handle.case
    cleaner = Redactor(case.view)

    def tell(check: TraceCheck) -> None:
        for record in request.node.stash.get(RECORDS, ()):
            if (record["suite"], record["case"]) == (case.suite, case.id):
                record["trace"] = trace_record(check, cleaner)

    return trace_assertion(
        request,
        TracedCase(
            store=tracing.store,
            suite=case.suite,
            case_id=case.id,
            options=tracing.options,
            risk=case.risk,
            commands=commands_for(request.config, case),
            cleaner=cleaner,
            findings=handle.found,
            tell=tell,
        ),
    )
