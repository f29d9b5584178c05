import pytest
import reports_examples as examples

from wug.reports.overview import Chapter
from wug.reports.page import write_report


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """The folder of one report on the examples."""
    folder = tmp_path_factory.mktemp("reports") / "report"
    write_report(examples.results(), [Chapter(examples.CARD, examples.sections())], folder, examples.trial_command)
    return folder
