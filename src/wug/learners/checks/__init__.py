"""Contract tests for learners, a user's or wug's own: does it keep what the rest of wug relies on?"""

from wug.learners.checks.outcome import Check, check_learner

__all__ = ["Check", "check_learner"]
