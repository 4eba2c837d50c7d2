// Draws the facilities of an answer from their coordinates, with no tiles of anybody else.

import { el, svg } from "./dom.js";

const WIDTH = 560;
const HEIGHT = 260;
const MARGIN = 44;
const KM_A_DEGREE = 111.32;
const SAFE = /^(?:https:|tel:)/;

/** The map and what can be done with each facility, or nothing where the answer found none. */
export function facilities(actions) {
  const features = actions.find(({ type }) => type === "map")?.geojson?.features ?? [];
  if (!features.length) return null;
  const origin = originOf(actions);
  return el(
    "section",
    { class: "facilities", "aria-label": "Facilities" },
    map(features, origin),
    el(
      "ol",
      { class: "facility-list" },
      features.map((feature) => entry(feature, actions)),
    ),
  );
}

function entry({ id, properties }, actions) {
  const mine = actions.filter(({ facility, url }) => facility === id && SAFE.test(url ?? ""));
  return el(
    "li",
    {},
    el("p", { class: "facility-name" }, properties.name, " ", el("span", { class: "muted" }, properties.kind)),
    el("p", { class: "muted" }, [distance(properties.distance_km), properties.address].filter(Boolean).join(" · ")),
    el("p", { class: "muted" }, properties.opening_hours),
    el(
      "p",
      { class: "row" },
      mine.map(({ type, label, url }) =>
        el(
          "a",
          { href: url, class: "button small", target: "_blank", rel: "noopener noreferrer", "aria-label": label },
          type === "call" ? "Call" : "Directions",
        ),
      ),
    ),
  );
}

const distance = (km) => (km === undefined ? null : km < 1 ? `${Math.round(km * 1000)} m` : `${km.toFixed(1)} km`);

/** Directions start where the person asked from. */
function originOf(actions) {
  const directions = actions.find(({ type }) => type === "directions");
  const from = directions && new URL(directions.url).searchParams.get("from")?.split(",").map(Number);
  return from?.length === 2 && from.every(Number.isFinite) ? { latitude: from[0], longitude: from[1] } : null;
}

function map(features, origin) {
  const points = features.map(
    ({
      geometry: {
        coordinates: [longitude, latitude],
      },
    }) => ({ latitude, longitude }),
  );
  const project = projection(origin ? [origin, ...points] : points);
  const named = features.map(({ properties }, at) => `${at + 1}, ${properties.name}`).join("; ");
  return svg(
    "svg",
    { class: "map", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Map: ${named}` },
    svg("rect", { class: "ground", width: WIDTH, height: HEIGHT, rx: 10 }),
    rings(origin, project),
    origin ? marker("origin", project.place(origin)) : null,
    points.map((point, at) => marker("pin", project.place(point), String(at + 1))),
    scaleBar(project.pixelsPerKm),
  );
}

/** North is up and kilometres are as long both ways, which holds for the few that one answer spans. */
function projection(points) {
  const middle = (key) => (Math.min(...points.map((p) => p[key])) + Math.max(...points.map((p) => p[key]))) / 2;
  const centre = { latitude: middle("latitude"), longitude: middle("longitude") };
  const eastwards = KM_A_DEGREE * Math.cos((centre.latitude * Math.PI) / 180);
  const km = ({ latitude, longitude }) => ({
    x: (longitude - centre.longitude) * eastwards,
    y: (centre.latitude - latitude) * KM_A_DEGREE,
  });
  const reach = (axis, least) => Math.max(least, ...points.map((point) => Math.abs(km(point)[axis])));
  const pixelsPerKm = Math.min((WIDTH / 2 - MARGIN) / reach("x", 0.25), (HEIGHT / 2 - MARGIN) / reach("y", 0.15));
  const place = (point) => {
    const { x, y } = km(point);
    return { x: WIDTH / 2 + x * pixelsPerKm, y: HEIGHT / 2 + y * pixelsPerKm };
  };
  return { place, pixelsPerKm };
}

/** Circles round the origin, so that a glance tells what is near. */
function rings(origin, { place, pixelsPerKm }) {
  if (!origin) return null;
  const { x, y } = place(origin);
  const step = roundKm(WIDTH / 5 / pixelsPerKm);
  return [1, 2, 3, 4].map((times) => svg("circle", { class: "ring", cx: x, cy: y, r: times * step * pixelsPerKm }));
}

function marker(kind, { x, y }, label) {
  return svg(
    "g",
    { class: kind },
    svg("circle", { cx: x, cy: y, r: label ? 12 : 6 }),
    label
      ? svg("text", { x, y: y + 4.5, "text-anchor": "middle" }, label)
      : svg("title", {}, "The place you asked about"),
  );
}

function scaleBar(pixelsPerKm) {
  const km = roundKm(110 / pixelsPerKm);
  const end = WIDTH - 16;
  return svg(
    "g",
    { class: "scale" },
    svg("path", { d: `M ${end - km * pixelsPerKm} ${HEIGHT - 22} v 6 H ${end} v -6` }),
    svg("text", { x: end, y: HEIGHT - 28, "text-anchor": "end" }, distance(km)),
  );
}

/** The largest of 1, 2, 5, 10, … that is no more. */
function roundKm(km) {
  const power = 10 ** Math.floor(Math.log10(km));
  return [5, 2, 1].map((times) => times * power).find((rounded) => rounded <= km) ?? power;
}
