// Searches in the open document: how many places there are, and the next and the one before.

import { get } from "./api.js";
import { el } from "./dom.js";

const PAUSE_MS = 250;

/** `show(hits, current)` is called with the places and the one to look at, which is null where there are none. */
export class FindBar {
  constructor(path, show, say) {
    Object.assign(this, { path, show, say });
    this.hits = [];
    this.at = -1;
    this.field = el("input", { type: "search", "aria-label": "Find in the document", placeholder: "Find", maxlength: 200 });
    this.count = el("output", { class: "muted" });
    this.steps = [
      ["‹", "Previous place", -1],
      ["›", "Next place", 1],
    ].map(([sign, label, step]) =>
      el("button", { class: "quiet", type: "button", "aria-label": label, disabled: true, onclick: () => this.go(step) }, sign),
    );
    this.element = el("div", { class: "find", role: "search" }, this.field, this.count, this.steps);
    this.field.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.find(), PAUSE_MS);
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      if (this.field.value.trim() === this.found) this.go(event.shiftKey ? -1 : 1);
      else this.find();
    });
  }

  async find() {
    clearTimeout(this.timer);
    const words = this.field.value.trim();
    if (words === (this.found ?? "")) return;
    this.found = words;
    try {
      const { matches, total } = words ? await get(`${this.path}/matches`, { words }) : { matches: [], total: 0 };
      // Somebody may have typed on while the service looked.
      if (words !== this.found) return;
      Object.assign(this, { hits: matches, total, at: -1 });
      this.go(1);
    } catch (problem) {
      this.say(problem);
    }
  }

  go(step) {
    const { hits } = this;
    this.at = hits.length ? (this.at + step + hits.length) % hits.length : -1;
    for (const button of this.steps) button.disabled = !hits.length;
    this.count.value = hits.length ? `${this.at + 1} of ${this.total.toLocaleString("en")}` : this.found ? "Not found" : "";
    this.show(hits, hits[this.at] ?? null);
  }

  close() {
    clearTimeout(this.timer);
  }
}
