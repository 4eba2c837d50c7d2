"""Answers and conversations as one read-only file of HTML, which needs no script, no network and no DocMind."""

from docmind.runtime.sharing.page import shared_page

__all__ = ["shared_page"]
