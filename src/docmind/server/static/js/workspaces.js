// The workspace that is looked in, another one, a new one, and one less.

import { currentWorkspace, get, post, remove, useWorkspace } from "./api.js";
import { $, el } from "./dom.js";
import { complain } from "./notice.js";
import { askFor } from "./prompt.js";
import { count } from "./words.js";

const KEPT = "docmind-workspace";

/** Begin in the key's workspace, else in the one that the address names, else in the one that was used last, else where
 * documents are. `changed` is called with every other one. Gives what goes to a workspace by its name. */
export async function startWorkspaces(me, named, changed) {
  const last = localStorage.getItem(KEPT);
  useWorkspace(me.workspace ?? named ?? firstOf((await get("/workspaces")).workspaces, last));
  for (const part of ["new-workspace", "delete-workspace"]) $(part).hidden = !mayMakeWorkspaces(me);
  const go = async (name) => {
    enterWorkspace(name);
    await changed();
  };
  $("workspace").addEventListener("change", ({ target }) => go(target.value));
  $("new-workspace").addEventListener("click", async () => {
    const name = await makeWorkspace();
    if (name) await go(name).catch(complain);
  });
  $("delete-workspace").addEventListener("click", () => deleteWorkspace(go).catch(complain));
  return go;
}

/** Ask, delete the one that is looked in with all that is in it, and go to another. */
async function deleteWorkspace(go) {
  const here = currentWorkspace();
  const found = (await get("/workspaces")).workspaces.find(({ name }) => name === here);
  const sure = await askFor({
    title: `Delete the workspace “${here}”?`,
    explanation: `Its ${count(found?.documents ?? 0, "document")} and all its conversations are deleted. This cannot be undone.`,
    action: "Delete",
  });
  if (!sure) return;
  await remove(`/workspaces/${encodeURIComponent(here)}`);
  await go(firstOf((await get("/workspaces")).workspaces, null));
}

/** The name of the workspace that was made; null where a person thought better of it. */
async function makeWorkspace() {
  let value;
  let error = null;
  for (;;) {
    value = await askFor({
      title: "A new workspace",
      explanation: "Its documents cannot be seen from other workspaces.",
      label: "Name",
      action: "Create",
      value,
      error,
    });
    if (!value) return null;
    try {
      await post("/workspaces", { name: value });
      return value;
    } catch (problem) {
      error = problem.message;
    }
  }
}

export const mayMakeWorkspaces = (me) => me.role === "admin" && me.workspace === null;

/** The one used last, if it is still there; else `default`, unless that is empty and another one is not. */
function firstOf(workspaces, last) {
  if (workspaces.some(({ name }) => name === last)) return last;
  const filled = workspaces.filter(({ documents }) => documents > 0);
  const most = filled.toSorted((one, other) => other.documents - one.documents)[0];
  return (filled.find(({ name }) => name === "default") ?? most)?.name ?? "default";
}

/** Work in this one from now on. */
export function enterWorkspace(name) {
  useWorkspace(name);
  localStorage.setItem(KEPT, name);
}

export async function listWorkspaces() {
  const { workspaces } = await get("/workspaces");
  const here = currentWorkspace();
  const exists = workspaces.some(({ name }) => name === here);
  const listed = exists ? workspaces : [{ name: here }, ...workspaces];
  $("delete-workspace").disabled = !exists;
  $("workspace").replaceChildren(
    ...listed.map(({ name }) => el("option", { value: name, selected: name === here }, name)),
  );
}
