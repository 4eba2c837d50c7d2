// One page of a PDF: its picture, drawn when it comes into view, and boxes over words of it.

import { el } from "./dom.js";
import { picture } from "./page-pictures.js";

const WIDEST = 2400;
const STEP = 100;
const KINDS = ["cited", "hit", "hit current"];

export class Sheet {
  constructor(path, { number, width, height }, total) {
    Object.assign(this, { path, number, width, height });
    this.boxes = new Map();
    this.canvas = el("canvas", { width: 0, height: 0 });
    this.overlay = el("div", { class: "boxes" });
    this.problem = el("p", { class: "muted", hidden: true });
    this.element = el(
      "div",
      { class: "sheet", role: "img", "aria-label": `Page ${number} of ${total}`, data: { page: number } },
      this.canvas,
      this.overlay,
      this.problem,
    );
  }

  /** So many pixels of the screen for a point of the page. */
  resize(scale) {
    this.element.style.width = `${Math.round(this.width * scale)}px`;
    this.element.style.height = `${Math.round(this.height * scale)}px`;
  }

  /** Draw it as sharp as it is shown. */
  async draw() {
    const dots = Math.ceil((this.element.clientWidth * devicePixelRatio) / STEP) * STEP;
    const width = Math.min(Math.max(dots, STEP), WIDEST);
    if (this.drawn === width) return;
    this.drawn = width;
    this.stopped?.abort();
    const { signal } = (this.stopped = new AbortController());
    try {
      const { path, number } = this;
      this.paint(await picture({ path, number, width, kind: "page", signal }));
      this.problem.hidden = true;
    } catch (problem) {
      if (signal.aborted) return;
      this.drawn = null;
      this.problem.textContent = problem.message;
      this.element.setAttribute("aria-label", `Page ${this.number}: ${problem.message}`);
      this.problem.hidden = false;
    }
  }

  paint(image) {
    this.canvas.width = image.width;
    this.canvas.height = image.height;
    this.canvas.getContext("2d").drawImage(image, 0, 0);
    image.close();
    this.element.dataset.drawn = this.drawn;
  }

  /** Let go of the picture: hundreds of them would fill the memory. */
  forget() {
    this.stopped?.abort();
    this.drawn = null;
    this.canvas.width = this.canvas.height = 0;
    delete this.element.dataset.drawn;
  }

  /** Put boxes of a kind (`cited`, `hit`, `hit current`) over words, in place of those of that kind. */
  mark(kind, words) {
    this.boxes.set(kind, words);
    const all = KINDS.flatMap((each) => joined(this.boxes.get(each) ?? []).map((box) => this.box(each, box)));
    this.overlay.replaceChildren(...all);
  }

  box(kind, { left, top, right, bottom }) {
    const mark = el("mark", { class: kind });
    // In shares of the page, so that boxes need not be moved when it is shown larger.
    mark.style.left = `${(100 * left) / this.width}%`;
    mark.style.top = `${(100 * top) / this.height}%`;
    mark.style.width = `${(100 * (right - left)) / this.width}%`;
    mark.style.height = `${(100 * (bottom - top)) / this.height}%`;
    return mark;
  }
}

/** Words that stand beside each other as one box. */
function joined(words) {
  const boxes = [];
  for (const word of words) {
    const last = boxes.at(-1);
    const height = word.bottom - word.top;
    const isBeside =
      last && Math.abs(word.top - last.top) < height / 2 && word.left >= last.left && word.left - last.right < height;
    if (isBeside) {
      last.right = Math.max(last.right, word.right);
      last.top = Math.min(last.top, word.top);
      last.bottom = Math.max(last.bottom, word.bottom);
    } else {
      boxes.push({ ...word });
    }
  }
  return boxes;
}
