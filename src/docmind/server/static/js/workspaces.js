// The workspace that is looked in, another one, and a new one.

import { currentWorkspace, get, post, useWorkspace } from "./api.js";
import { $, el } from "./dom.js";
import { complain } from "./notice.js";
import { askFor } from "./prompt.js";

const KEPT = "docmind-workspace";

/** Begin in the key's workspace, else in the one that was used last. `changed` is called with every other one. */
export function startWorkspaces(me, changed) {
  useWorkspace(me.workspace ?? localStorage.getItem(KEPT) ?? "default");
  $("new-workspace").hidden = me.role !== "admin" || me.workspace !== null;
  const go = async (name) => {
    useWorkspace(name);
    localStorage.setItem(KEPT, name);
    await changed();
  };
  $("workspace").addEventListener("change", ({ target }) => go(target.value));
  $("new-workspace").addEventListener("click", async () => {
    const name = await askFor({
      title: "A new workspace",
      explanation: "Its documents are seen from nowhere else.",
      label: "Name",
      action: "Create",
    });
    if (!name) return;
    try {
      await post("/workspaces", { name });
      await go(name);
    } catch (problem) {
      complain(problem);
    }
  });
}

export async function listWorkspaces() {
  const { workspaces } = await get("/workspaces");
  const here = currentWorkspace();
  const listed = workspaces.some(({ name }) => name === here) ? workspaces : [{ name: here }, ...workspaces];
  $("workspace").replaceChildren(
    ...listed.map(({ name }) => el("option", { value: name, selected: name === here }, name)),
  );
}
