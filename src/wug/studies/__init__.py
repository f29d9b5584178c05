"""Study files, trials, executors and the store."""
