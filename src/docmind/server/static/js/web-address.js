// Adds a page on the web: its address goes to the service, which fetches and reads it in the background.

import { currentWorkspace, post } from "./api.js";
import { $ } from "./dom.js";
import { clearNotice, complain } from "./notice.js";
import { followUploads } from "./uploads.js";

const USUAL = "https:";
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Take addresses from the field; what becomes of each stands in the list of uploads. */
export function takeWebAddresses() {
  const field = $("web-address");
  $("adding-address").addEventListener("submit", async (event) => {
    event.preventDefault();
    const entered = field.value.trim();
    if (!entered) return field.focus();
    // People leave out how every address begins.
    const url = SCHEME.test(entered) ? entered : `${USUAL}//${entered}`;
    clearNotice();
    try {
      await post("/uploads/web", { url, workspace: currentWorkspace() });
      field.value = "";
    } catch (problem) {
      complain(problem);
    }
    await followUploads();
  });
}
