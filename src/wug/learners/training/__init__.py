"""The training loop: optimisers, schedules, stopping."""
