// Questions that the service has answered from these documents before, with high confidence.

import { currentWorkspace, get, post } from "./api.js";

export const listSuggestions = async () => (await get("/suggestions")).suggestions;

/** Make the answer of a suggested question a conversation of one's own; null where it has to be asked. */
export async function takeSuggestion({ run }) {
  if (!run) return null;
  const result = await post(`/suggestions/${encodeURIComponent(run)}`, { workspace: currentWorkspace() });
  return { run: result.run_id };
}
