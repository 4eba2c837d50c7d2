// Draws the charts of an answer where it calls for them, each with its numbers as a table and a way to save it.

import { el, textNodes } from "./dom.js";
import { save } from "./downloads.js";

const PLACE = /\[CHART:(\d+)\]/;
const TYPES = ["bar", "line", "pie", "doughnut", "scatter"];
const drawn = new Set();

/** Put each chart in the place of its `[CHART:n]`, those without a place at the end. */
export async function placeCharts(root, charts) {
  const left = new Map(charts.map((chart) => [String(chart.number), chart]));
  for (const node of textNodes(root)) {
    const found = PLACE.exec(node.data);
    if (!found) continue;
    const place = node.splitText(found.index);
    place.splitText(found[0].length);
    const chart = left.get(found[1]);
    left.delete(found[1]);
    place.replaceWith(chart ? await figure(chart) : "");
  }
  for (const chart of left.values()) root.append(await figure(chart));
}

/** Charts are painted, so a change of theme has to repaint them. */
export function repaint() {
  if (!globalThis.Chart) return;
  useTheme(globalThis.Chart);
  for (const chart of drawn) {
    if (chart.canvas?.isConnected) chart.update("none");
    else drawn.delete(chart);
  }
}

async function figure({ number, config }) {
  const title = config.options?.plugins?.title?.text ?? `Chart ${number}`;
  if (!TYPES.includes(config.type)) return el("p", { class: "muted" }, `${title}: this chart cannot be drawn here.`);
  const Chart = await loadChart();
  const canvas = el("canvas", { role: "img", "aria-label": title });
  const frame = el("div", { class: "chart-frame" }, canvas);
  const saving = el("button", { class: "quiet", type: "button" }, "Save as PNG");
  const holder = el(
    "figure",
    { class: "chart" },
    frame,
    el("figcaption", {}, config.options?.plugins?.subtitle?.text ?? ""),
    el("div", { class: "row" }, saving),
    el("details", {}, el("summary", {}, "Show as a table"), numbers(config.data, title)),
  );
  // A chart measures its place, so it is painted once it is on the page.
  requestAnimationFrame(() => {
    const chart = new Chart(canvas, withPageOptions(config));
    drawn.add(chart);
    saving.addEventListener("click", () => saveOnPaper(chart, `chart-${number}.png`));
  });
  return holder;
}

async function loadChart() {
  if (!globalThis.Chart) {
    await import("../vendor/chart.js/chart.js");
    useTheme(globalThis.Chart);
  }
  return globalThis.Chart;
}

function withPageOptions(config) {
  const options = structuredClone(config.options ?? {});
  // The source stands in the caption, where it wraps and can be read aloud.
  if (options.plugins?.subtitle) options.plugins.subtitle.display = false;
  return { ...structuredClone(config), options: { ...options, maintainAspectRatio: false, animation: false } };
}

function useTheme(Chart) {
  const style = getComputedStyle(document.documentElement);
  Chart.defaults.color = resolved(style.getPropertyValue("--ink"));
  Chart.defaults.borderColor = resolved(style.getPropertyValue("--line"));
  Chart.defaults.font.family = style.fontFamily;
}

/** What a colour of the style sheet comes to in the theme that is on. */
function resolved(value) {
  const probe = el("span", { hidden: true });
  probe.style.color = value;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function numbers({ labels, datasets }, title) {
  const cell = (value) => el("td", {}, typeof value === "object" ? `${value.x}; ${value.y}` : String(value ?? ""));
  return el(
    "div",
    { class: "table-frame" },
    el(
      "table",
      { "aria-label": title },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("td"),
          datasets.map(({ label }) => el("th", { scope: "col" }, label ?? "")),
        ),
      ),
      el(
        "tbody",
        {},
        labels.map((label, at) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, String(label)),
            datasets.map(({ data }) => cell(data[at])),
          ),
        ),
      ),
    ),
  );
}

/** A transparent picture is unreadable wherever the ground happens to be dark. */
function saveOnPaper(chart, name) {
  const { canvas } = chart;
  const paper = el("canvas", { width: canvas.width, height: canvas.height });
  const brush = paper.getContext("2d");
  brush.fillStyle = getComputedStyle(document.body).backgroundColor;
  brush.fillRect(0, 0, paper.width, paper.height);
  brush.drawImage(canvas, 0, 0);
  paper.toBlob((blob) => save(name, blob), "image/png");
}
