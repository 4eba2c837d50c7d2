// Gives an answer or a conversation to somebody else: as a page, as Markdown, as JSON, or as a link.

import { conversationAddress, linkTo } from "./address.js";
import { currentWorkspace, getBlob } from "./api.js";
import { asMarkdown, save } from "./downloads.js";
import { menuButton } from "./menu.js";
import { complain, tell } from "./notice.js";

/** The button below an answer, with its menu. */
export function shareMenu(turn) {
  const { result, thread } = turn;
  const name = `docmind-${result.run_id.slice(0, 8)}`;
  const link = () => linkTo(conversationAddress(currentWorkspace(), { thread, run: result.run_id }));
  const file = (suffix, type, text) => save(`${name}.${suffix}`, new Blob([text], { type }));
  return menuButton({
    label: "Share this answer",
    text: "Share",
    class: "quiet",
    items: [
      ["Save as a page", () => savePage(`/runs/${result.run_id}`, `${name}.html`)],
      ["Save as Markdown", () => file("md", "text/markdown", asMarkdown(turn))],
      ["Save as JSON", () => file("json", "application/json", JSON.stringify(result, null, 2))],
      ["Copy link", () => copyLink(link())],
    ],
  });
}

/** Save a conversation as one file of HTML that can be read anywhere. `path` is a thread's or a run's. */
export async function savePage(path, name = "docmind-conversation.html") {
  try {
    save(name, await getBlob(`${path}/export`, { format: "html" }));
  } catch (problem) {
    complain(problem);
  }
}

export async function copyLink(link) {
  try {
    await navigator.clipboard.writeText(link);
    tell("The link was copied.");
  } catch {
    complain(new Error(`The browser does not let the page copy. The link is ${link}`));
  }
}
