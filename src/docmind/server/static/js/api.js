// The one place that speaks to the service: scope and key go with every request, a problem becomes an error.

import { events } from "./stream.js";

const KEY = "docmind-key";

let workspace = "default";
let askForKey = async () => null;
let asking = null;

export class Problem extends Error {
  constructor({ detail, title, code, status }) {
    super(detail || title || "The service gave no reason.");
    this.code = code;
    this.status = status;
  }
}

export const useWorkspace = (name) => {
  workspace = name;
};
export const currentWorkspace = () => workspace;
/** `ask` shows the key field, told whether a key was refused, and gives what was entered or null. */
export const onMissingKey = (ask) => {
  askForKey = ask;
};

/** Go on with another key than before, until this tab is closed. */
export const useKey = (token) => sessionStorage.setItem(KEY, token);

export const get = async (path, parameters = {}) => (await send(path, { parameters })).json();
export const remove = (path) => send(path, { method: "DELETE" });
export const post = async (path, body, signal) => (await send(path, { ...asJson(body), signal })).json();
export const put = async (path, body) => (await send(path, { ...asJson({ workspace, ...body }), method: "PUT" })).json();
export const patch = async (path, body) => (await send(path, { ...asJson(body), method: "PATCH" })).json();
/** The same of something that belongs to the workspace. */
export const patchHere = (path, body) => patch(path, { workspace, ...body });
export const getText = async (path, parameters) => (await send(path, { parameters })).text();
export const getBlob = async (path, parameters, signal) => (await send(path, { parameters, signal })).blob();

/** What a run tells while it goes on. Aborting `signal` goes away, which stops the run. */
export async function* ask(path, body, signal) {
  const response = await send(path, { ...asJson({ workspace, ...body }), accept: "text/event-stream", signal });
  yield* told(response);
}

/** What the service tells at an address as it happens, until it ends or `signal` aborts. */
export async function* listen(path, signal) {
  yield* told(await send(path, { accept: "text/event-stream", signal }));
}

/** What becomes of uploaded files, one after the other. */
export async function* upload(path, form, to = workspace) {
  form.append("workspace", to);
  yield* told(await send(path, { method: "POST", body: form, accept: "text/event-stream" }));
}

async function* told(response) {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    yield { type: "report", ...(await response.json()) };
    return;
  }
  for await (const { type, data } of events(response.body)) {
    if (type === "error") throw new Problem(data);
    yield { ...data, type };
  }
}

const asJson = (body = {}) => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "Content-Type": "application/json" },
});

async function send(path, { method = "GET", parameters, body, headers = {}, accept = "*/*", signal } = {}) {
  const address = new URL(`/v1${path}`, location.origin);
  if (method !== "POST") address.search = new URLSearchParams({ workspace, ...parameters });
  const key = sessionStorage.getItem(KEY);
  const all = { Accept: accept, ...headers, ...(key ? { Authorization: `Bearer ${key}` } : {}) };
  const response = await fetch(address, { method, body, headers: all, signal }).catch((reason) => {
    if (reason.name === "AbortError") throw reason;
    throw new Problem({ detail: "The service cannot be reached. Is it still running?" });
  });
  if (response.status === 401 && (await newKey(key))) {
    return send(path, { method, parameters, body, headers, accept, signal });
  }
  if (!response.ok) throw new Problem(await problemOf(response));
  return response;
}

/** Whether there is another key than the one refused. Several requests may be refused at once; one dialog is enough. */
async function newKey(refused) {
  if (sessionStorage.getItem(KEY) !== refused) return true;
  asking ??= askForKey(refused !== null).finally(() => {
    asking = null;
  });
  const key = await asking;
  if (key) sessionStorage.setItem(KEY, key);
  return key !== null;
}

async function problemOf(response) {
  const fallback = { detail: `The service answered ${response.status}.`, status: response.status };
  return response.json().catch(() => fallback);
}
