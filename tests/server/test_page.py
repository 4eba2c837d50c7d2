"""The page as files: served under a strict policy, whole, from this package alone."""

import hashlib
import re
from pathlib import Path

import httpx
import pytest

from docmind.server.page import STATIC

VENDOR = STATIC / "vendor"
OWN = [file for file in STATIC.rglob("*") if file.suffix in (".html", ".js", ".css") and VENDOR not in file.parents]


def test_the_page_is_served_under_a_policy_that_lets_nothing_foreign_run(service: httpx.Client) -> None:
    page = service.get("/")
    assert page.headers["content-type"].startswith("text/html")
    policy = dict(part.split(" ", 1) for part in page.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in page.headers["content-security-policy"]
    assert page.headers["x-content-type-options"] == "nosniff"


def test_the_documentation_of_the_api_is_as_strict_but_for_its_own_icons(service: httpx.Client) -> None:
    page, docs = service.get("/"), service.get("/docs")
    assert docs.headers["content-type"].startswith("text/html")
    policies = (one.headers["content-security-policy"].split("; ") for one in (page, docs))
    ours, theirs = (dict(part.split(" ", 1) for part in policy) for policy in policies)
    assert {name for name in ours if ours[name] != theirs.get(name)} == {"font-src", "img-src", "trusted-types"}
    assert theirs["img-src"] == "'self' data:"
    assert "unsafe" not in docs.headers["content-security-policy"]


def test_the_page_leads_to_the_documentation_of_the_api(service: httpx.Client) -> None:
    assert 'href="/docs"' in service.get("/").text


def test_everything_the_page_names_is_there_with_its_type(service: httpx.Client) -> None:
    pages = "".join((STATIC / name).read_text() for name in ("index.html", "docs.html"))
    named = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', pages))
    for script in (STATIC / "js").glob("*.js"):
        for path in re.findall(r'(?:from|import\() ?"(\.[^"]+)"', script.read_text()):
            named.add(f"/static/{(script.parent / path).resolve().relative_to(STATIC).as_posix()}")
    types = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    for address in sorted(named):
        answer = service.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["content-type"].startswith(types[address[address.rindex(".") :]]), address
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_path_out_of_the_folder_is_not_found(service: httpx.Client) -> None:
    assert service.get("/static/%2e%2e/page.py").status_code == 404
    assert service.get("/static/js/nothing.js").status_code == 404


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.name)
def test_no_file_reaches_elsewhere_or_holds_code_or_style_in_markup(file: Path) -> None:
    text = file.read_text()
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
    assert not re.search(r"\son[a-z]+=\"|\sstyle=\"|javascript:", text)


def test_third_party_files_are_the_ones_that_were_pinned_each_with_its_licence() -> None:
    lines = (VENDOR / "SHA256SUMS").read_text().splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    there = {
        file.relative_to(VENDOR).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in VENDOR.rglob("*")
        if file.is_file() and file.name != "SHA256SUMS"
    }
    assert there == listed
    for package in (folder for folder in VENDOR.iterdir() if folder.is_dir()):
        assert list(package.glob("LICENSE*")), package.name
