// What was asked before in this workspace, to be looked at again; what waits for a person stands out.

import { get } from "./api.js";
import { $, el } from "./dom.js";
import { complain } from "./notice.js";

const SHOWN = 30;

/** List the latest questions; `show` is called with the runs of the conversation that is chosen. */
export async function listHistory(show) {
  const { runs } = await get("/runs", { limit: SHOWN });
  const seen = new Set();
  const latest = runs.filter(({ thread }) => !thread || (!seen.has(thread) && seen.add(thread)));
  $("history").replaceChildren(
    ...latest.map((run) =>
      el(
        "li",
        {},
        el(
          "button",
          {
            class: "entry",
            type: "button",
            onclick: () => open(run, show),
          },
          el("span", { class: "entry-title" }, run.question),
          el("span", { class: "muted" }, told(run)),
        ),
      ),
    ),
  );
}

function told({ workflow, state, started }) {
  const moment = new Date(started);
  const isToday = moment.toDateString() === new Date().toDateString();
  const when = isToday
    ? moment.toLocaleTimeString([], { timeStyle: "short" })
    : moment.toLocaleDateString([], { dateStyle: "medium" });
  return [workflow, state === "waiting" ? "waits for you" : null, when].filter(Boolean).join(" · ");
}

async function open({ id, thread, workflow }, show) {
  try {
    const runs = thread ? (await get(`/threads/${encodeURIComponent(thread)}`)).turns : [await get(`/runs/${id}`)];
    await show({ runs: runs.map((run) => ({ ...run, run: run.run ?? run.id })), workflow, thread });
  } catch (problem) {
    complain(problem);
  }
}
