// The conversations of the workspace: searched, opened, renamed, pinned, saved and deleted.

import { conversationAddress, linkTo } from "./address.js";
import { currentWorkspace, get, patchHere, remove } from "./api.js";
import { $, el } from "./dom.js";
import { menuButton } from "./menu.js";
import { complain, tell } from "./notice.js";
import { askFor } from "./prompt.js";
import { copyLink, savePage } from "./sharing.js";
import { count } from "./words.js";

const AT_FIRST = 50;
const MOST = 1000;

/** `{list, mark}`. `open` is called with `{thread}` or `{run}`, `gone` with one that was deleted; `current()` gives
 *  the one that is shown, `mayDelete()` whether this key may delete, `title` what people call a workflow. */
export function makeConversations({ open, gone, current, mayDelete, title }) {
  const search = $("conversation-search");
  let limit = AT_FIRST;
  let asked = 0;

  const list = async () => {
    asked += 1;
    const mine = asked;
    const { conversations, total } = await get("/conversations", { search: search.value.trim(), limit });
    // An answer to an earlier search may come after that to a later one.
    if (mine === asked) show(conversations, total);
  };
  const again = () => list().catch(complain);
  const change = async (work) => {
    try {
      await work();
    } catch (problem) {
      complain(problem);
    }
    await again();
  };

  const show = (conversations, total) => {
    const menu = $("conversations").querySelector(".menu:popover-open");
    // Listing anew would take the menu away from under somebody's hand.
    if (menu) return menu.addEventListener("toggle", again, { once: true });
    $("conversations").replaceChildren(...conversations.map(entry));
    const more = total > conversations.length;
    const none = search.value.trim() ? "Nothing found." : "Questions you ask are kept here.";
    $("conversations-more").replaceChildren(
      ...[
        conversations.length ? null : el("p", { class: "muted" }, none),
        more ? el("button", { class: "quiet", type: "button", onclick: all }, `Show all ${total}`) : null,
      ].filter(Boolean),
    );
    mark();
  };
  const all = () => {
    limit = MOST;
    again();
  };

  const entry = (one) => {
    const place = one.kind === "thread" ? { thread: one.id } : { run: one.id };
    const button = el(
      "button",
      { class: "entry", type: "button", title: one.title, onclick: () => open(place) },
      el("span", { class: "entry-title" }, one.pinned ? el("span", { class: "pin" }, "Pinned ") : null, one.title),
      el("span", { class: "muted" }, told(one, title)),
    );
    return el("li", { data: place }, button, menuButton({ ...menuOf(one, place), class: "quiet more", text: "⋯" }));
  };

  const menuOf = (one, place) => {
    const address = `/${one.kind}s/${encodeURIComponent(one.id)}`;
    return {
      label: `More for ${one.title}`,
      items: [
        ["Rename", () => rename(one, address, change)],
        [one.pinned ? "Unpin" : "Pin", () => change(() => patchHere(address, { pinned: !one.pinned }))],
        ["Copy link", () => copyLink(linkTo(conversationAddress(currentWorkspace(), place)))],
        ["Save as a page", () => savePage(address)],
        mayDelete() ? ["Delete", () => discard(one, address, change, () => gone(place))] : null,
      ],
    };
  };

  /** Let the conversation that is shown stand out. */
  const mark = () => {
    const { thread, run } = current() ?? {};
    for (const item of $("conversations").children) {
      const isShown = thread ? item.dataset.thread === thread : Boolean(run) && item.dataset.run === run;
      const button = item.querySelector(".entry");
      if (isShown) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  };

  search.addEventListener("input", again);
  return { list, mark };
}

/** What was asked in a conversation and what came of it; `run` may also be one of a thread. */
export async function readConversation({ thread, run }) {
  const single = run ? await get(`/runs/${encodeURIComponent(run)}`) : null;
  if (single && !single.thread) {
    return { runs: [{ ...single, run: single.id }], workflow: single.workflow, thread: null };
  }
  const name = thread ?? single.thread;
  const { turns, workflow } = await get(`/threads/${encodeURIComponent(name)}`);
  return { runs: turns, workflow, thread: name };
}

async function rename({ title }, address, change) {
  const chosen = await askFor({
    title: "Rename this conversation",
    explanation: "Leave it empty to go back to the first question.",
    label: "Title",
    value: title,
    optional: true,
    action: "Rename",
  });
  if (chosen !== null) await change(() => patchHere(address, { title: chosen }));
}

async function discard({ title, length }, address, change, done) {
  const what = length > 1 ? `${count(length, "question")} with their answers` : "The question and its answer";
  const isSure = await askFor({
    title: "Delete this conversation?",
    explanation: `“${title}”: ${what} will be deleted for good.`,
    action: "Delete",
  });
  if (!isSure) return;
  await change(async () => {
    await remove(address);
    tell("The conversation was deleted.");
    done();
  });
}

function told({ workflow, waiting, last_turn: last, length }, title) {
  const moment = new Date(last);
  const isToday = moment.toDateString() === new Date().toDateString();
  const when = isToday
    ? moment.toLocaleTimeString([], { timeStyle: "short" })
    : moment.toLocaleDateString([], { dateStyle: "medium" });
  const size = length > 1 ? count(length, "question") : null;
  return [title(workflow), waiting ? "waiting for you" : null, size, when].filter(Boolean).join(" · ");
}
