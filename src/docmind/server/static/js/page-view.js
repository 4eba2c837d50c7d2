// The pages of a PDF one below the other, drawn as they come into view, with boxes over what is cited and found.

import { get } from "./api.js";
import { el } from "./dom.js";
import { noMarks } from "./marks.js";
import { Sheet } from "./page-sheet.js";
import { Thumbnails } from "./page-thumbnails.js";
import { PageTools } from "./page-tools.js";

const MARGIN = 24;
const LONGEST_STRETCH = 50_000;
const DOTS_A_POINT = 96 / 72;
const WIDEST_FIT = 1.6;
const [SMALLEST, LARGEST] = [0.25, 5];
const overlaps = (one, other) => one.start < other.end && other.start < one.end;

export class PageView {
  constructor(path, say, note) {
    Object.assign(this, { path, say, note });
    this.zoom = null;
    this.number = 1;
    this.marks = noMarks();
    this.marked = new Set();
    this.scroller = el("div", { class: "pages", tabindex: 0, role: "document", "aria-label": "Pages of the document" });
    this.element = el("div", { class: "page-view" }, this.scroller);
    this.tools = new PageTools({
      goTo: (number) => this.goTo(number),
      enlarge: (factor) => this.enlarge(factor),
      fit: () => this.fit(),
      list: (shown) => this.list(shown),
    });
    this.scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.scroller.addEventListener("keydown", (event) => this.key(event));
    this.watch = new IntersectionObserver((seen) => this.seen(seen), { root: this.scroller, rootMargin: "300px 0px" });
    this.sized = new ResizeObserver(() => this.layOut());
  }

  async load() {
    const { pages } = await get(`${this.path}/pages`);
    this.sheets = pages.map((page) => new Sheet(this.path, page, pages.length));
    this.usual = pages.map(({ width }) => width).sort((a, b) => a - b)[pages.length >> 1];
    this.scroller.replaceChildren(...this.sheets.map(({ element }) => element));
    this.thumbnails = new Thumbnails(this.path, pages, (number) => this.goTo(number));
    this.element.prepend(this.thumbnails.element);
    this.tools.start(pages.length);
    this.layOut();
    this.sized.observe(this.scroller);
    for (const { element } of this.sheets) this.watch.observe(element);
  }

  /** Show the marks, and the place `{start, end, page}` unless none is given. */
  async show(marks, place) {
    // Somebody may go on to the next place while this one is still looked for.
    const turn = (this.turn = (this.turn ?? 0) + 1);
    // The page can be drawn while the service looks for the words on it.
    const sought = place?.end > place?.start ? this.find(place).catch(this.say) : null;
    this.loading ??= this.load();
    await this.loading;
    if (turn !== this.turn) return;
    this.marks = marks;
    this.marked.clear();
    for (const sheet of this.sheets) for (const kind of ["cited", "hit", "hit current"]) sheet.mark(kind, []);
    if (place?.page) this.goTo(place.page);
    const wanted = [
      ["cited", marks.cited[0]],
      ["hit current", marks.current],
    ].filter(([, stretch]) => stretch);
    for (const [kind, stretch] of wanted) {
      const boxes = (await ((place === stretch && sought) || this.find(stretch).catch(this.say))) ?? [];
      if (turn !== this.turn) return;
      this.box(kind, boxes);
    }
    const drawn = this.scroller.querySelector("mark.current") ?? this.scroller.querySelector("mark");
    if (place && sought) {
      this.note((await sought)?.length ? "" : "These words could not be found on the page. They are marked in the Text tab.");
      drawn?.scrollIntoView({ block: "center", inline: "nearest" });
      if (drawn) this.aimAt(Number(drawn.closest(".sheet").dataset.page));
    }
    for (const number of this.visible()) this.markHits(number);
  }

  find = async ({ start, end }) => {
    const until = Math.min(end, start + LONGEST_STRETCH);
    return (await get(`${this.path}/boxes`, { start, end: until })).boxes;
  };

  box(kind, boxes) {
    for (const [number, words] of Map.groupBy(boxes, ({ page }) => page)) this.sheets[number - 1].mark(kind, words);
  }

  /** Boxes over everything found on a page, once it is looked at. A passage may begin pages before the words. */
  async markHits(number) {
    const begin = Math.max(...this.marks.hits.map(({ page }) => page).filter((page) => page <= number));
    const hits = this.marks.hits.filter(({ page }) => page === begin);
    if (!hits.length || this.marked.has(begin)) return;
    this.marked.add(begin);
    const { marks } = this;
    const boxes = await this.find({ start: hits[0].start, end: hits.at(-1).end }).catch(() => []);
    if (marks !== this.marks) return;
    const others = hits.filter((hit) => hit !== marks.current);
    const found = boxes.filter((box) => others.some((hit) => overlaps(box, hit)));
    for (const [page, words] of Map.groupBy(found, (box) => box.page)) {
      const sheet = this.sheets[page - 1];
      // Those of a passage that begins on a page before may be there already.
      sheet.mark("hit", [...(sheet.boxes.get("hit") ?? []), ...words]);
    }
  }

  goTo(number) {
    const sheet = this.sheets[Math.min(Math.max(number, 1), this.sheets.length) - 1];
    this.scroller.scrollTop = sheet.element.offsetTop - MARGIN / 2;
    this.aimAt(sheet.number);
  }

  /** This page is the one that is read, until somebody scrolls. */
  aimAt(number) {
    this.aim = { number, top: this.scroller.scrollTop };
    this.scrolled();
  }

  enlarge(factor) {
    this.zoom = Math.min(Math.max((this.zoom ?? this.fitting()) * factor, SMALLEST), LARGEST);
    this.layOut();
  }

  fit() {
    this.zoom = null;
    this.layOut();
  }

  list(shown) {
    this.thumbnails.element.hidden = !shown;
    if (shown) this.thumbnails.reveal();
  }

  /** Points of the screen for a point of the page, so that a usual page is as wide as there is room. */
  fitting() {
    return Math.min(Math.max((this.scroller.clientWidth - MARGIN) / this.usual, SMALLEST), WIDEST_FIT * DOTS_A_POINT);
  }

  /** Give every page its size, with what is looked at kept in its place. */
  layOut() {
    if (!this.sheets || !this.scroller.clientWidth) return;
    const scale = this.zoom ?? this.fitting();
    this.tools.tell(scale / DOTS_A_POINT, this.zoom === null);
    if (scale === this.scale) return;
    this.scale = scale;
    const { element } = this.sheets[this.number - 1];
    const share = (this.scroller.scrollTop - element.offsetTop) / (element.offsetHeight || 1);
    for (const sheet of this.sheets) sheet.resize(scale);
    this.scroller.scrollTop = element.offsetTop + share * element.offsetHeight;
    for (const number of this.visible()) this.sheets[number - 1].draw();
  }

  /** The numbers of the pages that are in view. */
  visible() {
    const { scrollTop, clientHeight } = this.scroller;
    const first = this.at(scrollTop);
    const last = this.at(scrollTop + clientHeight);
    return Array.from({ length: last - first + 1 }, (_, step) => first + step);
  }

  /** The number of the page at this height of all of them. */
  at(top) {
    let [low, high] = [0, this.sheets.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.sheets[middle].element.offsetTop <= top) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  scrolled() {
    const { scrollTop, clientHeight } = this.scroller;
    const number = this.aim?.top === scrollTop ? this.aim.number : this.at(scrollTop + clientHeight / 2);
    if (number === this.number && this.told) return;
    Object.assign(this, { number, told: true });
    this.tools.turn(number);
    this.thumbnails?.choose(number);
  }

  seen(pages) {
    for (const { target, isIntersecting } of pages) {
      const number = Number(target.dataset.page);
      if (isIntersecting) {
        this.sheets[number - 1].draw();
        this.markHits(number);
      } else {
        this.sheets[number - 1].forget();
      }
    }
  }

  key(event) {
    const turn = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const factor = { "+": 1.25, "-": 0.8 }[event.key];
    const isWide = this.scroller.scrollWidth > this.scroller.clientWidth;
    if (event.ctrlKey || event.metaKey || event.altKey || (!factor && (!turn || isWide))) return;
    event.preventDefault();
    if (turn) this.goTo(this.number + turn);
    else this.enlarge(factor);
  }

  focus() {
    this.scroller.focus({ preventScroll: true });
  }

  close() {
    this.watch.disconnect();
    this.sized.disconnect();
    this.thumbnails?.close();
    for (const sheet of this.sheets ?? []) sheet.forget();
  }
}
