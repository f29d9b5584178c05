import os
import signal
import time

import pytest

from wug.learners.registry import parse_learner
from wug.studies.executor import execute_here
from wug.studies.interrupts import OutOfTimeError, deferred_interrupt, time_limit
from wug.studies.trial import group_by_training, plan_trials


@pytest.fixture
def execute(fake_benchmark, fake_learner):
    """Returns the results of trials run in this process: learners, one after the other, each at some levels."""

    def execute(*learners, levels=(1,), timeout_s=None):
        trials = [
            trial
            for name in learners
            for level in levels
            for trial in plan_trials("fake", "plain", {"level": level}, [parse_learner(fake_learner(name))], [1])
        ]
        delivered = []
        execute_here(group_by_training(trials), delivered.append, timeout_s)
        return delivered

    return execute


def test_groups_are_run_in_order_and_handed_over_one_by_one(execute):
    delivered = execute("Steady", "Raising", "NotANumber", levels=(1, 2))
    assert [[result.status for result in group] for group in delivered] == [
        ["done", "done"],
        ["failed", "failed"],
        ["failed", "failed"],
    ]


def test_a_trial_that_never_ends_is_ended(execute):
    (endless,), (steady,) = execute("Endless", "Steady", timeout_s=0.3)
    assert (endless.status, endless.error) == ("failed", "took longer than the 0.3 s of --timeout")
    assert steady.status == "done"


def test_a_group_has_the_time_of_all_its_trials(execute):
    (group,) = execute("Endless", levels=(1, 2), timeout_s=0.2)
    error = "took longer than 0.4 s, 0.2 s of --timeout for each of 2 trials that train together"
    assert [result.error for result in group] == [error, error]


@pytest.fixture
def interruptible():
    """Ctrl-C counts even where the tests were started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_waits_for_the_block_and_then_counts(interruptible):
    finished = False
    with pytest.raises(KeyboardInterrupt), deferred_interrupt():  # noqa: PT012
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        finished = True
    assert finished
    with deferred_interrupt():
        pass
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_where_ctrl_c_is_ignored_it_stays_so():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with deferred_interrupt():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_alarm_comes_again_where_it_was_swallowed():
    swallowed = 0
    with pytest.raises(OutOfTimeError), time_limit(0.05):  # noqa: PT012
        while True:
            try:
                time.sleep(0.005)
            except OutOfTimeError:
                swallowed += 1
                if swallowed == 2:
                    raise
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
