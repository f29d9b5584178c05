"""The paper's statistics (section 5.3): cell means, Friedman's test, Nemenyi's all-pairs test, rank correlation.

observations -> designs.language_means -> designs.design -> friedman.friedman_test -> nemenyi.nemenyi_test
"""
