// Starts the page: who is asking, what there is, and which part tells which.

import { get, onMissingKey } from "./api.js";
import { repaint } from "./charts.js";
import { hideQuote } from "./citations.js";
import { makeComposer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { makeDetails } from "./details.js";
import { listDocuments } from "./documents.js";
import { $ } from "./dom.js";
import { closeDrawers, makeDrawers } from "./drawers.js";
import { listHistory } from "./history.js";
import { clearNotice, complain } from "./notice.js";
import { askFor } from "./prompt.js";
import { openDocument } from "./reader.js";
import { offerWorkflows } from "./switcher.js";
import { offerTextCheck } from "./text-check.js";
import { offerThemes } from "./theme.js";
import { takeFacilities, takeFiles } from "./uploads.js";
import { welcome } from "./welcome.js";
import { listWorkspaces, startWorkspaces } from "./workspaces.js";

const page = { me: null, workflows: [], workflow: null, chooseWorkflow: null, documents: null };
const details = makeDetails();
const conversation = new Conversation({
  open: openDocument,
  inspect: details.inspect,
  changed: showTurn,
  ended: () => refresh().catch(complain),
});
const composer = makeComposer({ ask, stop: () => conversation.stop() });

offerThemes($("theme"), repaint);
makeDrawers();
onMissingKey(askForKey);
addEventListener("keydown", ({ key }) => {
  if (key === "Escape") hideQuote();
});
$("fresh").addEventListener("click", () => {
  conversation.clear();
  $("question").focus();
});
start().catch(complain);

async function start() {
  page.me = await get("/me");
  page.workflows = (await get("/workflows")).workflows;
  startWorkspaces(page.me, async () => {
    conversation.clear();
    await refresh();
  });
  offerTextCheck();
  takeFiles({ limits: () => page.me.limits, done: refresh });
  takeFacilities({ done: refresh });
  for (const part of ["adding", "importing"]) $(part).hidden = !mayEdit();
  page.chooseWorkflow = offerWorkflows(page.workflows.filter(isChoice), (workflow) => {
    page.workflow = workflow;
    // A thread belongs to the workflow that it began with.
    if (conversation.thread) conversation.clear();
    showTurn(conversation.chosen);
  });
  composer.open(page.me.limits.question_characters);
  await refresh();
}

/** Another mode of a workflow is not for people to choose. */
const isChoice = ({ mode_of: mode }) => mode === null;

const named = (wanted) => page.workflows.find(({ name }) => name === wanted);

const mayEdit = () => page.me.role !== "reader";

/** Everything that the service lists, once more. */
async function refresh() {
  page.documents = await listDocuments({ mayEdit: mayEdit(), changed: refresh });
  await Promise.all([listWorkspaces(), listHistory(showEarlier)]);
  showTurn(conversation.chosen);
}

async function ask(question) {
  clearNotice();
  closeDrawers();
  await conversation.ask(question, page.workflow);
}

async function showEarlier(earlier) {
  closeDrawers();
  page.chooseWorkflow(named(earlier.workflow).mode_of ?? earlier.workflow);
  await conversation.show(earlier);
}

/** The chosen turn is another, or more is known of it. */
function showTurn(turn) {
  if (!page.workflow) return;
  details.show(turn, named(turn?.workflow ?? page.workflow.name));
  composer.busy(conversation.isBusy);
  $("welcome").hidden = turn !== null;
  if (!turn && page.documents) welcome(page.workflow, page.documents, mayEdit(), composer.use);
  $("fresh").hidden = turn === null;
  $("mode").textContent =
    page.workflow.converses && turn ? "It remembers this conversation." : "Enter asks. Shift and Enter begins a line.";
}

function askForKey(wasRefused) {
  return askFor({
    title: "A key, please",
    explanation: "This service answers whoever shows a key. It is kept until this tab is closed.",
    label: "Key",
    type: "password",
    action: "Continue",
    error: wasRefused ? "That key is not known here." : null,
  });
}
