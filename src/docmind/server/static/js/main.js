// Starts the page: who is asking, what there is, and which part tells which.

import { addressBefore, conversationAddress, currentAddress, goTo, onAddress } from "./address.js";
import { currentWorkspace, get, onMissingKey, post } from "./api.js";
import { repaint } from "./charts.js";
import { hideQuote } from "./citations.js";
import { makeComposer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { makeConversations, readConversation } from "./conversations.js";
import { makeDetails } from "./details.js";
import { listDocuments } from "./documents.js";
import { $ } from "./dom.js";
import { closeDrawers, makeDrawers } from "./drawers.js";
import { clearNotice, complain } from "./notice.js";
import { askFor } from "./prompt.js";
import { closeDocument, openDocument } from "./reader.js";
import { offerSettings } from "./settings.js";
import { listSuggestions, takeSuggestion } from "./suggestions.js";
import { offerWorkflows } from "./switcher.js";
import { offerTextCheck } from "./text-check.js";
import { offerThemes } from "./theme.js";
import { followUploads, isComingIn, takeFacilities, takeFiles } from "./uploads.js";
import { takeWebAddresses } from "./web-address.js";
import { welcome } from "./welcome.js";
import { enterWorkspace, listWorkspaces, mayMakeWorkspaces, startWorkspaces } from "./workspaces.js";

const page = {
  me: null,
  go: null,
  workflows: [],
  workflow: null,
  chooseWorkflow: null,
  documents: null,
  suggestions: [],
};
let listing = Promise.resolve();
const details = makeDetails();
const conversation = new Conversation({
  open: openDocument,
  inspect: details.inspect,
  changed: showTurn,
  begun: settle,
  ended: () => refresh().catch(complain),
});
const conversations = makeConversations({
  open: (place) => open(place),
  gone: (place) => isShown(place) && leave(),
  current: () => conversation.place,
  mayDelete: mayEdit,
  title: (workflow) => named(named(workflow).mode_of ?? workflow).title,
});
const composer = makeComposer({ ask: (question) => ask(question).catch(complain), stop: () => conversation.stop() });

offerThemes($("theme"), repaint);
makeDrawers();
onMissingKey(askForKey);
addEventListener("keydown", ({ key }) => {
  if (key === "Escape") hideQuote();
});
$("fresh").addEventListener("click", () => {
  leave();
  $("question").focus();
});
onAddress((address) => visit(address).catch(complain));
const started = start();
started.catch(complain);

async function start() {
  page.me = await get("/me");
  page.workflows = (await get("/workflows")).workflows;
  const asked = currentAddress();
  const under = addressBefore();
  page.go = await startWorkspaces(page.me, asked?.workspace, async () => {
    clearNotice();
    closeDocument();
    leave();
    await refresh();
    followUploads();
  });
  offerTextCheck();
  offerSettings(page.me, async () => {
    page.me = await get("/me");
    page.workflows = (await get("/workflows")).workflows;
    page.workflow = named(page.workflow.name);
    await refresh();
  });
  takeFiles({ limits: () => page.me.limits, done: refresh });
  takeWebAddresses();
  takeFacilities({ done: refresh });
  for (const part of ["adding", "importing"]) $(part).hidden = !mayEdit();
  page.chooseWorkflow = offerWorkflows(page.workflows.filter(isChoice), (workflow) => {
    page.workflow = workflow;
    // A thread belongs to the workflow that it began with.
    if (conversation.thread) leave();
    showTurn(conversation.chosen);
  });
  composer.limit(page.me.limits.question_characters);
  await refresh();
  followUploads();
  // Somebody may have asked already; an address that names only the workspace must not take that away.
  if (under?.thread || under?.run) {
    goTo(conversationAddress(under.workspace, under), { replace: true });
    await visit(under);
  }
  if (asked?.thread || asked?.run || asked?.document) await visit(asked);
  else settle();
}

/** Another mode of a workflow is not for people to choose. */
const isChoice = ({ mode_of: mode }) => mode === null;

const named = (wanted) => page.workflows.find(({ name }) => name === wanted);

function mayEdit() {
  return page.me.role !== "reader";
}

/** Everything that the service lists, once more: one after the other, so that the last is what stays. */
function refresh() {
  listing = listing.catch(() => {}).then(list);
  return listing;
}

async function list() {
  page.documents = await listDocuments({ mayEdit: mayEdit(), changed: refresh });
  [page.suggestions] = await Promise.all([listSuggestions(), listWorkspaces(), conversations.list()]);
  // What somebody opened beside a turn stays open.
  if (!conversation.chosen) showTurn(null);
}

async function ask(question) {
  clearNotice();
  closeDrawers();
  if (!page.workflow) await begin(question);
  await conversation.ask(question, page.workflow);
}

/** Wait until it is known how questions are answered; a service that was just started is still loading that. */
async function begin(question) {
  $("mode").classList.remove("of-keys");
  $("mode").textContent = "The service is starting. Your question is asked as soon as it is ready.";
  await started.catch((problem) => {
    composer.use(question);
    throw problem;
  });
}

/** Show what an address names: a document beside what is there, else a conversation or the workspace alone. */
async function visit(address) {
  if (!address?.document) closeDocument();
  if (!address) return;
  const { workspace, ...place } = address;
  if (page.me.workspace !== null && workspace !== page.me.workspace) {
    throw new Error(`This link leads to the workspace “${workspace}”, and your key is for “${page.me.workspace}”.`);
  }
  if (workspace !== currentWorkspace()) {
    enterWorkspace(workspace);
    conversation.clear();
    await refresh();
    followUploads();
  }
  if (place.document) await openDocument(place);
  else if (!place.thread && !place.run) conversation.clear();
  else if (!isShown(place)) await open(place);
}

/** Show an earlier conversation, a `thread` or a single `run`. */
async function open(place) {
  closeDrawers();
  clearNotice();
  // What is being answered is shown already, and to show it once more would stop it.
  if (isShown(place) && conversation.isBusy) return;
  const isWanted = conversation.replaced();
  try {
    const earlier = await readConversation(place);
    const turns = await conversation.earlierTurns(earlier);
    // Another one may have been chosen meanwhile, or this one may have gone on.
    if (!isWanted()) return;
    conversation.clear();
    page.chooseWorkflow(named(earlier.workflow).mode_of ?? earlier.workflow);
    conversation.show(turns, earlier.thread);
    settle();
  } catch (problem) {
    complain(problem);
  }
}

/** Go away from the conversation that is shown. */
function leave() {
  conversation.clear();
  settle();
}

/** Let the address and the list say what is shown. */
function settle() {
  goTo(conversationAddress(currentWorkspace(), conversation.place ?? {}));
  conversations.mark();
}

function isShown({ thread, run }) {
  const shown = conversation.place;
  return Boolean(shown) && (thread ? shown.thread === thread : shown.run === run);
}

/** The chosen turn is another, or more is known of it. */
function showTurn(turn) {
  if (!page.workflow) return;
  document.title = turn ? `${conversation.turns[0].question} · DocMind` : "DocMind";
  details.show(turn, named(turn?.workflow ?? page.workflow.name));
  composer.busy(conversation.isBusy);
  $("welcome").hidden = turn !== null;
  if (!turn && page.documents) showWelcome();
  $("fresh").hidden = turn === null;
  const remembers = page.workflow.converses && turn;
  $("mode").textContent = remembers ? "DocMind remembers this conversation." : "Enter to ask, Shift+Enter for a new line.";
  $("mode").classList.toggle("of-keys", !remembers);
}

function showWelcome() {
  const mayTry = mayMakeWorkspaces(page.me);
  const now = { ...page, mayEdit: mayEdit(), mayTry, comesIn: isComingIn() };
  welcome(now, { suggest, examples: tryExamples });
}

/** A suggested question was answered before; where its answer is not kept, it is asked like any other. */
async function suggest(suggestion) {
  page.chooseWorkflow(suggestion.workflow);
  try {
    const earlier = await takeSuggestion(suggestion);
    if (!earlier) return await ask(suggestion.question);
    await open(earlier);
    await conversations.list();
  } catch (problem) {
    complain(problem);
  }
}

/** Fill the workspace of the examples and go there. */
async function tryExamples() {
  clearNotice();
  try {
    const { workspace } = await post("/examples");
    await page.go(workspace);
  } catch (problem) {
    complain(problem);
  }
}

function askForKey(wasRefused) {
  return askFor({
    title: "This service needs an API key",
    explanation: "Enter the key you were given. It is kept until you close this tab.",
    label: "Key",
    type: "password",
    action: "Continue",
    error: wasRefused ? "That key is not valid." : null,
  });
}
