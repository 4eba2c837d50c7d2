"""How the page looks: light and dark, on a phone, with charts and formulas, and readable to everybody."""

from pathlib import Path

import pytest

from tests.web.conftest import PHONE, Visit, Visiting

pytestmark = pytest.mark.web

TOO_FAINT = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const parse = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const faint = [];
  for (const node of document.querySelectorAll("body *:not(svg *):not(.katex *):not(option)")) {
    const says = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (!says || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const [one, other] = [light(parse(getComputedStyle(node).color)), light(ground(node))].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast < 4.5) faint.push(`${node.className}: ${node.textContent.slice(0, 30)} (${contrast.toFixed(2)})`);
  }
  return faint;
}"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
UNNAMED = """() => [...document.querySelectorAll("button, a, input, select, textarea")]
  .filter((node) => node.checkVisibility())
  .filter((node) => !(node.getAttribute("aria-label") || node.textContent.trim() || node.labels?.length
    || node.getAttribute("aria-labelledby")))
  .map((node) => node.outerHTML)"""

TWICE = """() => {
  const names = [...document.querySelectorAll("[id]")].map((node) => node.id);
  return names.filter((name, at) => names.indexOf(name) !== at);
}"""
"""Ids are what labels and descriptions refer to, so each stands for one element."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_stands_out_from_its_ground(visiting: Visiting, service: str, scheme: str) -> None:
    visit = visiting(service, color_scheme=scheme)
    assert visit.page.evaluate(TOO_FAINT) == []
    visit.in_("strategy", "strategy").ask("What is the capital budget of Project Heron?")
    for tab in ("sources", "checks", "run"):
        visit.tab(tab)
        assert visit.page.evaluate(TOO_FAINT) == []
    visit.page.locator("button.cite").first.hover()
    assert visit.page.evaluate(TOO_FAINT) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_viewer_and_the_menu_of_a_conversation_can_be_read_and_named_too(
    visiting: Visiting, service: str, scheme: str
) -> None:
    visit = visiting(service, color_scheme=scheme).in_("strategy").ask("When does production in Ostrava start?")
    page = visit.page
    page.locator("#conversations .more").first.click()
    page.locator(".menu:popover-open").wait_for()
    assert (page.evaluate(TOO_FAINT), page.evaluate(UNNAMED)) == ([], [])
    page.keyboard.press("Escape")
    page.locator("button.cite").first.click()
    page.locator("#reader mark.cited").first.wait_for()
    page.locator("#reader").get_by_role("searchbox").fill("production")
    page.locator("#reader mark").nth(1).wait_for()
    assert (page.evaluate(TOO_FAINT), page.evaluate(UNNAMED)) == ([], [])
    page.locator("#tab-text").click()
    page.locator("#panel-text mark").first.wait_for()
    assert (page.evaluate(TOO_FAINT), page.evaluate(UNNAMED), page.evaluate(TWICE)) == ([], [], [])


def test_everything_that_can_be_used_has_a_name_and_every_region_a_landmark(visit: Visit) -> None:
    visit.in_("finance", "finance").ask("How did Ellandor's revenue develop from 2022 to 2024?")
    assert visit.page.evaluate(UNNAMED) == []
    for role in ("banner", "navigation", "main", "complementary"):
        assert visit.page.get_by_role(role).count() == 1
    assert "Answered" in visit.page.locator("#live").inner_text()


def test_the_theme_follows_the_system_until_a_person_chooses(visiting: Visiting, service: str) -> None:
    visit = visiting(service, color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = visit.page.evaluate(ground)
    visit.page.get_by_role("button", name="Light").click()
    assert visit.page.evaluate(ground) != dark
    visit.page.reload()
    visit.page.locator("#workflows button").first.wait_for()
    assert visit.page.evaluate(ground) != dark


def test_on_a_phone_nothing_scrolls_sideways_and_the_drawers_open_and_close(visiting: Visiting, service: str) -> None:
    visit = visiting(service, viewport=PHONE)
    page = visit.page
    assert page.evaluate(SIDEWAYS) == 0
    page.locator("#show-library").click()
    visit.page.locator("#workspace").select_option("finance")
    page.keyboard.press("Escape")
    page.locator("[data-workflow=finance]").click()
    visit.ask("How did Ellandor's revenue develop from 2022 to 2024?")
    assert page.evaluate(SIDEWAYS) == 0
    page.locator("#show-details").click()
    visit.tab("run").locator(".graph").wait_for()
    assert page.evaluate(SIDEWAYS) == 0
    page.keyboard.press("Escape")
    assert page.locator("#details").is_hidden()


def test_a_chart_is_painted_and_can_be_saved_and_read_as_numbers(visit: Visit, tmp_path: Path) -> None:
    visit.in_("finance", "finance").ask("How did Ellandor's revenue develop from 2022 to 2024?")
    canvas = visit.page.locator(".chart canvas")
    canvas.scroll_into_view_if_needed()
    with visit.page.expect_download() as download:
        visit.page.get_by_role("button", name="Save as PNG").click()
    download.value.save_as(tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "chart.png").stat().st_size > 5_000
    visit.page.get_by_text("Show as a table").click()
    assert "655230" in visit.page.locator(".chart table").inner_text()
    assert "[CHART" not in visit.answer


def test_formulas_are_typeset(visit: Visit) -> None:
    visit.in_("finance", "finance").ask("By what percentage did Ellandor's revenue grow from 2022 to 2023?")
    assert visit.page.locator(".formula .katex .mfrac").count() >= 1
    assert "\\frac" not in visit.page.locator(".prose .katex-html").first.inner_text()
