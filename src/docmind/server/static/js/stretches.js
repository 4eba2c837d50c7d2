// Shows a long document stretch by stretch: what is looked at is loaded first, the rest as somebody scrolls there.

import { el } from "./dom.js";
import { noMarks, showMark } from "./marks.js";

const AROUND = 20_000;

export class Stretches {
  /** `load(start, end)` gives the blocks there, each with `start` and `end`; `draw(blocks, marks)` gives elements. */
  constructor({ label, characters, load, draw, say }) {
    Object.assign(this, { characters, load, draw, say });
    this.blocks = [];
    this.marks = noMarks();
    this.edges = ["before", "after"].map((side) => el("div", { class: "edge", data: { side } }));
    this.body = el("div", { class: "stretch" });
    this.element = el(
      "div",
      { class: "reader-text", tabindex: 0, role: "document", "aria-label": label },
      this.edges[0],
      this.body,
      this.edges[1],
    );
    this.watch = new IntersectionObserver((seen) => this.extend(seen), { root: this.element, rootMargin: "400px" });
  }

  /** Show the marks, and the place `{start, end}` unless none is given. */
  async show(marks, place) {
    this.marks = marks;
    if (place && !this.holds(place)) {
      this.watch.disconnect();
      const [from, to] = [Math.max(0, place.start - AROUND), Math.min(this.characters, place.end + AROUND)];
      const blocks = await this.load(from, to);
      // Somebody may have gone on to another place meanwhile.
      if (marks !== this.marks) return;
      this.blocks = blocks;
      this.from = Math.min(from, blocks[0]?.start ?? from);
      this.to = Math.max(to, blocks.at(-1)?.end ?? to);
    }
    this.redraw();
    if (place && !showMark(this.body)) this.element.scrollTop = 0;
    for (const edge of this.edges) this.watch.observe(edge);
  }

  holds({ start, end }) {
    return this.blocks.length > 0 && this.from <= start && end <= this.to;
  }

  redraw() {
    this.body.replaceChildren(...this.draw(this.blocks, this.marks));
  }

  /** Load on where somebody scrolled to an edge of what is loaded. */
  async extend(seen) {
    const at = seen.find(({ isIntersecting }) => isIntersecting)?.target;
    if (!at || this.loading || !this.blocks.length) return;
    this.loading = true;
    try {
      await (at.dataset.side === "before" ? this.loadBefore() : this.loadAfter());
    } catch (problem) {
      this.say(problem);
    }
    this.loading = false;
    // An edge that is still in view is told of again.
    for (const edge of this.edges) {
      this.watch.unobserve(edge);
      this.watch.observe(edge);
    }
  }

  async loadBefore() {
    if (this.from <= 0) return;
    const from = Math.max(0, this.from - AROUND);
    const more = await this.load(from, this.from);
    const below = this.element.scrollHeight - this.element.scrollTop;
    this.blocks = [...more, ...this.blocks];
    this.from = Math.min(from, more[0]?.start ?? from);
    this.redraw();
    this.element.scrollTop = this.element.scrollHeight - below;
  }

  async loadAfter() {
    if (this.to >= this.characters) return;
    const to = Math.min(this.characters, this.to + AROUND);
    const more = await this.load(this.to, to);
    this.blocks = [...this.blocks, ...more];
    this.to = Math.max(to, more.at(-1)?.end ?? to);
    this.redraw();
  }

  focus() {
    this.element.focus({ preventScroll: true });
  }

  close() {
    this.watch.disconnect();
  }
}
