"""A trial with what became of it, as a record for JSON."""

from collections.abc import Iterable
from typing import Any

from wug.benchmarks.protocol import Score
from wug.studies.trial import Trial, TrialResult


def scores_record(scores: Iterable[Score]) -> dict[str, dict[str, Any]]:
    """Return ``scores`` {measure: value}, ``items`` {measure: {item: value}} and ``notes`` {measure: {item: note}}.

    A note on the whole task has the empty item.
    """
    whole: dict[str, Any] = {}
    items: dict[str, dict[str, Any]] = {}
    notes: dict[str, dict[str, str]] = {}
    for score in scores:
        if score.item:
            items.setdefault(score.measure, {})[score.item] = score.value
        else:
            whole[score.measure] = score.value
        if score.note:
            notes.setdefault(score.measure, {})[score.item] = score.note
    return {"scores": whole, "items": items, "notes": notes}


def result_record(trial: Trial, result: TrialResult) -> dict[str, Any]:
    """Return a trial with its result, as ``wug trial --json`` prints it."""
    return {
        "id": trial.id,
        "benchmark": trial.benchmark,
        "task": trial.task,
        "learner": trial.learner.label,
        "seed": trial.seed,
        "spec": trial.spec,
        "status": result.status,
        "error": result.error,
        **scores_record(result.scores),
        "wall_s": result.wall_s,
        "cpu_s": result.cpu_s,
        "peak_mb": result.peak_mb,
    }
