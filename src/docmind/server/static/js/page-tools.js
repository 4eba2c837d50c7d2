// The buttons over the pages of a PDF: which page, how large, and whether all are listed beside.

import { el } from "./dom.js";
import { percent } from "./words.js";

const LARGER = 1.25;
const WITH_ROOM = "(min-width: 641px)";

export class PageTools {
  /** `goTo` a page, `enlarge` by a factor, `fit` the width, `list` the pages or not. */
  constructor({ goTo, enlarge, fit, list }) {
    this.goTo = goTo;
    this.list = list;
    this.field = el("input", { type: "text", inputmode: "numeric", "aria-label": "Page", autocomplete: "off" });
    this.field.addEventListener("change", () => this.typed());
    this.total = el("span", { class: "muted" });
    this.size = button("Fit", "Fit the width", fit);
    this.listed = button("Thumbnails", null, () => this.toggle());
    this.element = el(
      "div",
      { class: "page-tools", role: "toolbar", "aria-label": "Pages" },
      this.listed,
      group(
        button("‹", "Previous page", () => goTo(this.number - 1)),
        this.field,
        this.total,
        button("›", "Next page", () => goTo(this.number + 1)),
      ),
      group(
        button("−", "Smaller", () => enlarge(1 / LARGER)),
        this.size,
        button("+", "Larger", () => enlarge(LARGER)),
      ),
    );
  }

  /** There are so many pages. */
  start(pages) {
    this.pages = pages;
    this.total.textContent = `of ${pages}`;
    this.turn(1);
    this.shown = pages > 1 && matchMedia(WITH_ROOM).matches;
    this.listed.hidden = pages < 2;
    this.toggle(this.shown);
  }

  turn(number) {
    this.number = number;
    this.field.value = number;
  }

  tell(scale, fits) {
    this.size.textContent = percent(scale);
    this.size.setAttribute("aria-pressed", fits);
    this.size.setAttribute("aria-label", `${percent(scale)}; fit the width`);
  }

  typed() {
    const wanted = Number(this.field.value);
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= this.pages) this.goTo(wanted);
    else this.field.value = this.number;
  }

  toggle(shown = !this.shown) {
    this.shown = shown;
    this.listed.setAttribute("aria-pressed", shown);
    this.list(shown);
  }
}

const group = (...parts) => el("span", { class: "row" }, parts);

const button = (text, label, onclick) =>
  el("button", { class: "quiet", type: "button", "aria-label": label, title: label, onclick }, text);
