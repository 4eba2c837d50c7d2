// Chooses the workflow that answers.

import { $, el } from "./dom.js";
import { moveBetween } from "./tabs.js";

const KEPT = "docmind-workflow";

/** Offer the workflows; `changed` is called with the one that is chosen, the one of last time at first.
 *  Gives what chooses one by its name. */
export function offerWorkflows(workflows, changed) {
  const buttons = workflows.map((workflow) =>
    el(
      "button",
      {
        role: "radio",
        type: "button",
        title: workflow.description,
        data: { workflow: workflow.name },
        onclick: () => choose(workflow),
      },
      workflow.title,
    ),
  );
  const choose = (chosen) => {
    workflows.forEach((workflow, at) => {
      buttons[at].setAttribute("aria-checked", workflow === chosen);
      buttons[at].tabIndex = workflow === chosen ? 0 : -1;
    });
    localStorage.setItem(KEPT, chosen.name);
    changed(chosen);
  };
  const group = $("workflows");
  group.replaceChildren(...buttons);
  group.addEventListener("keydown", (event) => moveBetween(buttons, event));
  const chooseNamed = (wanted) => choose(workflows.find(({ name }) => name === wanted) ?? workflows[0]);
  chooseNamed(localStorage.getItem(KEPT));
  return chooseNamed;
}
