// The embedder: which one is in use, and what it would cost to change it.

import { get, patch, post } from "./api.js";
import { el } from "./dom.js";
import { labelled, remark, textInput } from "./settings-fields.js";
import { saying } from "./settings-saying.js";
import { count } from "./words.js";

const LOOK_AGAIN_MS = 2000;

export function embedderForm(row, saved) {
  const status = saying();
  const listed = ["minilm", "static"].includes(row.value);
  const choice = el(
    "select",
    { id: "embedder-choice", disabled: row.fixed, onchange: () => arrange() },
    el("option", { value: "minilm", selected: row.value === "minilm" }, "minilm: on this machine, the default"),
    el("option", { value: "static", selected: row.value === "static" }, "static: on this machine, faster but less accurate"),
    el("option", { value: "other", selected: !listed }, "A provider's model"),
  );
  const other = textInput("embedder-other", listed ? "" : row.value, "openai:text-embedding-3-small", row.fixed);
  const otherRow = labelled(other, "Model");
  const chosen = () => (choice.value === "other" ? other.value.trim() : choice.value);
  const save = el("button", { type: "submit", class: "button primary", disabled: row.fixed }, "Save");
  const weigh = el("button", { type: "button", class: "button", onclick: () => ask() }, "What a change costs");
  const again = el("button", { type: "button", class: "button", hidden: true, onclick: () => reindex() }, "Reindex");
  const reindex = async () => {
    again.disabled = true;
    try {
      await post("/reindex", {});
      await follow();
    } catch (problem) {
      status.fail(problem);
    } finally {
      again.disabled = false;
    }
  };
  /** Tell how far a reindex is until it has ended; the button is there while there is something to be reindexed. */
  const follow = async () => {
    for (let begun = false; ; begun = true) {
      const { workspaces } = await get("/reindex");
      const [outdated, building] = [workspaces.filter((one) => !one.is_current), workspaces.filter(isBuilding)];
      again.hidden = outdated.length === 0 || building.length > 0;
      if (outdated.length > 0) status.say(outdatedInWords(outdated, building));
      else if (begun) status.say("Every workspace is indexed with the current embedder.");
      if (building.length === 0) return;
      await new Promise((resume) => setTimeout(resume, LOOK_AGAIN_MS));
      if (!status.node.isConnected) return;
    }
  };
  const ask = async () => {
    weigh.disabled = true;
    status.say("Measuring …");
    try {
      status.say(costInWords(await post("/settings/embedder", { embedder: chosen() })));
    } catch (problem) {
      status.fail(problem);
    } finally {
      weigh.disabled = false;
    }
  };
  const arrange = () => {
    otherRow.hidden = choice.value !== "other";
  };
  arrange();
  follow().catch((problem) => status.fail(problem));
  return el(
    "form",
    {
      id: "embedder-form",
      class: "settings-group",
      "aria-labelledby": "embedder-title",
      onsubmit: async (event) => {
        event.preventDefault();
        try {
          await saved(await patch("/settings", { changes: { [row.name]: chosen() } }), "embedder-form");
        } catch (problem) {
          status.fail(problem);
        }
      },
    },
    el("h3", { id: "embedder-title" }, "Embedder"),
    el("p", { class: "muted" }, "Turns passages and questions into vectors, so that passages can be found by meaning.", remark(row)),
    labelled(choice, "Embedder"),
    otherRow,
    el("div", { class: "row wrap" }, save, weigh, again),
    status.node,
  );
}

const isBuilding = ({ done }) => done !== null;

function outdatedInWords(outdated, building) {
  if (building.length > 0) {
    const [{ workspace, passages, done }] = building;
    return `Reindexing ${workspace}: ${done} of ${count(passages, "passage")}. Searches go on with the old index.`;
  }
  const made = outdated.map(({ workspace, embedder }) => `${workspace} (${embedder})`).join(", ");
  return `Indexed with another embedder, or with other weights: ${made}. Reindex to use the current one.`;
}

function costInWords({ now, wanted, passages, seconds, sent_away: away }) {
  if (now === wanted) return `${now} is the one in use.`;
  if (passages === 0) return "Nothing is indexed yet, so it costs nothing.";
  const time = seconds === null ? "" : `, about ${duration(seconds)} on this machine (measured just now)`;
  const provider = away ? " All their texts would be sent to the provider, which charges for them." : "";
  return (
    `${count(passages, "passage")} would be embedded again${time}.${provider} Save the embedder ${wanted}, then ` +
    "reindex: searches go on with the old index until the new one is whole, and no file is read again."
  );
}

function duration(seconds) {
  if (seconds < 90) return count(Math.max(1, Math.round(seconds)), "second");
  const minutes = seconds / 60;
  return minutes < 90 ? count(Math.round(minutes), "minute") : count(Math.round(minutes / 60), "hour");
}
