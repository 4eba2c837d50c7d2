"""A passage is headed by what its document is, and by nothing twice."""

import pytest

from docmind.corpus.file_reading import label
from docmind.domain.documents import Metadata

REPORT = Metadata(title="Annual report 2023", company="Ellandor Instruments N.V.", ticker="ELLN", fiscal_year=2023)


@pytest.mark.parametrize(
    ("metadata", "name", "expected"),
    [
        (REPORT, "finance/ellandor-annual-report-2023.pdf", "Annual report 2023 · Ellandor Instruments N.V. · ELLN"),
        (Metadata(title="Quotas for Amazon RDS"), "guide/CHAP_Limits.md", "Quotas for Amazon RDS · CHAP Limits"),
        (Metadata(title="Files"), "a.zip!inside/howCloudTrailWorks.md", "Files · how Cloud Trail Works"),
        (Metadata(title="Form 10-Q", fiscal_year=2022, quarter=3), "x.pdf", "Form 10-Q · Q3 2022"),
        (Metadata(title="Abstract"), "4983.md", "Abstract"),
        (Metadata(title="Übersicht"), "Straßen-Übersicht.md", "Übersicht · Straßen"),
        (Metadata(), "notes.txt", "notes"),
    ],
)
def test_the_label_says_each_thing_once(metadata: Metadata, name: str, expected: str) -> None:
    assert label(metadata, name) == expected
