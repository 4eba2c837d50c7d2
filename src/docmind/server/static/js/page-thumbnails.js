// Small pictures of all pages, drawn as they come into view; a click goes to the page.

import { el } from "./dom.js";
import { picture } from "./page-pictures.js";

const WIDTH = 96;

export class Thumbnails {
  constructor(path, pages, goTo) {
    this.path = path;
    this.stopped = new AbortController();
    this.buttons = pages.map((page) => thumbnail(page, goTo));
    this.element = el("ol", { class: "thumbnails", "aria-label": "Pages" }, this.buttons.map((one) => el("li", {}, one)));
    this.watch = new IntersectionObserver((seen) => this.draw(seen), { root: this.element, rootMargin: "200px" });
    for (const button of this.buttons) this.watch.observe(button);
  }

  draw(seen) {
    for (const { target, isIntersecting } of seen) {
      if (!isIntersecting) continue;
      this.watch.unobserve(target);
      this.paint(target).catch(() => {});
    }
  }

  async paint(button) {
    const wanted = { number: Number(button.dataset.page), width: Math.ceil(WIDTH * devicePixelRatio), kind: "thumbnail" };
    const image = await picture({ path: this.path, signal: this.stopped.signal, ...wanted });
    const canvas = button.querySelector("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext("2d").drawImage(image, 0, 0);
    image.close();
  }

  /** Let the page that is read stand out. */
  choose(number) {
    this.chosen?.removeAttribute("aria-current");
    this.chosen = this.buttons[number - 1];
    this.chosen?.setAttribute("aria-current", "page");
    if (this.element.checkVisibility()) this.reveal();
  }

  reveal() {
    const { chosen, element } = this;
    if (!chosen) return;
    const above = chosen.offsetTop - element.scrollTop;
    if (above < 0 || above + chosen.offsetHeight > element.clientHeight) {
      element.scrollTop = chosen.offsetTop - element.clientHeight / 3;
    }
  }

  close() {
    this.watch.disconnect();
    this.stopped.abort();
  }
}

function thumbnail({ number, width, height }, goTo) {
  const canvas = el("canvas", { width: 0, height: 0 });
  canvas.style.aspectRatio = `${width} / ${height}`;
  return el(
    "button",
    { type: "button", data: { page: number }, "aria-label": `Page ${number}`, onclick: () => goTo(number) },
    canvas,
    el("span", {}, number),
  );
}
