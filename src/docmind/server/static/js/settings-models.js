// Choosing the models: who writes, who judges, who stands in, and who embeds.

import { embedderForm } from "./settings-embedder.js";
import { modelForm } from "./settings-model-form.js";

const ROLES = [
  {
    role: "chat",
    title: "Chat model",
    about: "Breaks questions down, writes the answers and judges them. Everything it writes is also checked locally.",
    without: [["", "None: answers are the documents' own sentences"]],
  },
  {
    role: "judge",
    title: "Judge",
    about: "Gives a second opinion on every sentence that the local checks are unsure about.",
    without: [
      ["", "The chat model"],
      ["none", "None: the local checks only"],
    ],
  },
  {
    role: "fallback",
    title: "Stand-in",
    about: "Takes over when the chat model fails.",
    without: [["", "None: the documents' own sentences"]],
  },
];

export const modelsPanel = (rows, listed, saved) => [
  ...ROLES.map((one) => modelForm(one, rows, listed, saved)),
  embedderForm(rows.get("models.embedder"), saved),
];
