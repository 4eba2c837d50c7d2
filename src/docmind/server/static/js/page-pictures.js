// Fetches pictures of pages: those that are read before thumbnails, what was asked for last first, a few at a time.

import { getBlob } from "./api.js";

const AT_ONCE = 2;
const waiting = { page: [], thumbnail: [] };
let busy = 0;

/** A page as an image; an aborted `signal` takes the request back. */
export function picture({ path, number, width, kind, signal }) {
  return new Promise((resolve, reject) => {
    waiting[kind].push({ path, number, width, signal, resolve, reject });
    next();
  });
}

function next() {
  if (busy >= AT_ONCE) return;
  const job = waiting.page.pop() ?? waiting.thumbnail.shift();
  if (!job) return;
  if (job.signal.aborted) {
    job.reject(job.signal.reason);
    next();
    return;
  }
  busy += 1;
  load(job)
    .then(job.resolve, job.reject)
    .finally(() => {
      busy -= 1;
      next();
    });
}

async function load({ path, number, width, signal }) {
  return createImageBitmap(await getBlob(`${path}/pages/${number}.png`, { width }, signal));
}
