// How the settings are grouped and called on the page. What each means comes from the service.

const RARELY =
  "These are rarely changed. An empty field means the default. The small name is what the setting is called in the file.";

export const ANSWERS = [
  {
    title: "How sure an answer must be",
    names: ["answers.most_wrong", "answers.below"],
  },
  {
    title: "Conversations",
    names: ["conversational_mode", "chat.max_clarifications", "chat.answer_within_h"],
  },
  {
    title: "How often to try again",
    names: ["docs.max_hallucinations", "strategy.max_retries", "chat.max_retries"],
  },
  {
    title: "How much is read for an answer",
    names: ["docs.sections", "strategy.candidates", "strategy.retry_candidates", "chat.passages", "search.candidates"],
  },
  {
    title: "Fine tuning of chat",
    about: RARELY,
    folded: true,
    names: ["chat.relevant_above", "chat.enough"],
  },
  {
    title: "Fine tuning of strategy",
    about: RARELY,
    folded: true,
    names: [
      "strategy.min_score",
      "strategy.retry_min_score",
      "strategy.min_confidence",
      "strategy.context_chars",
      "strategy.whole_passages",
      "strategy.least_kept",
      "strategy.judge_quotes",
      "strategy.uncited_penalty",
      "strategy.most_uncited_penalty",
      "strategy.invalid_citation_factor",
      "strategy.uncited_for_retry",
      "strategy.invented_clamp",
      "strategy.uncited_clamp",
      "strategy.uncited_clamp_from",
      "strategy.mostly_uncited_clamp",
      "strategy.mostly_uncited_clamp_from",
      "strategy.faithfulness_weight",
      "strategy.relevance_weight",
      "strategy.completeness_weight",
      "strategy.reasoning_weight",
    ],
  },
];

export const LIMITS = [
  {
    title: "One question, with a chat model",
    about: "A question that might exceed these limits is not started. Leave a field empty for no limit.",
    names: ["budget.calls", "budget.tokens", "budget.seconds", "budget.cost"],
  },
  {
    title: "One call of a chat model",
    names: ["models.prompt_tokens", "models.timeout_s", "models.attempts"],
  },
  {
    title: "Prices",
    about: "Per million tokens, read and written: 0.25/2, for example.",
    names: ["models.chat_price", "models.judge_price", "models.fallback_price"],
  },
  {
    title: "Requests and uploads",
    names: [
      "server.question_characters",
      "server.files",
      "server.file_mb",
      "server.upload_mb",
      "server.body_kb",
      "server.runs",
      "server.waiting",
    ],
  },
  {
    title: "Reading files",
    names: ["ingest.max_file_mb", "ingest.max_pages", "ingest.timeout_s", "ingest.workers", "models.threads"],
  },
];

export const LABELS = {
  "answers.most_wrong": "At most this share of wrong answers",
  "answers.below": "An answer that is less sure",
  conversational_mode: "Remember conversations from other programs",
  "chat.max_clarifications": "Questions DocMind may ask you",
  "chat.answer_within_h": "Hours until such a question expires",
  "docs.max_hallucinations": "Documents: drafts before giving up",
  "strategy.max_retries": "Strategy: drafts after the first",
  "chat.max_retries": "Chat: further searches",
  "docs.sections": "Documents: passages for an answer",
  "strategy.candidates": "Strategy: passages for the first draft",
  "strategy.retry_candidates": "Strategy: passages for a retry",
  "chat.passages": "Chat: passages for an answer",
  "search.candidates": "Passages that each search returns",
  "chat.relevant_above": "Relevance that a passage needs",
  "chat.enough": "Relevant passages needed",
  "strategy.min_score": "Relevance that a passage needs",
  "strategy.retry_min_score": "Relevance that a passage needs on a retry",
  "strategy.min_confidence": "Confidence that a draft needs",
  "strategy.context_chars": "Characters of evidence shown to the model",
  "strategy.whole_passages": "Passages that are never shortened",
  "strategy.least_kept": "Share of the evidence that must be left",
  "strategy.judge_quotes": "Judge drafts that only quote",
  "strategy.uncited_penalty": "Taken off for each sentence without a citation",
  "strategy.most_uncited_penalty": "Taken off for such sentences, at most",
  "strategy.invalid_citation_factor": "Factor for a citation that leads nowhere",
  "strategy.uncited_for_retry": "Sentences without a citation that force a retry",
  "strategy.invented_clamp": "Highest faithfulness with an invention",
  "strategy.uncited_clamp": "Highest faithfulness with many uncited sentences",
  "strategy.uncited_clamp_from": "Uncited sentences that count as many",
  "strategy.mostly_uncited_clamp": "Highest faithfulness with very many of them",
  "strategy.mostly_uncited_clamp_from": "Uncited sentences that count as very many",
  "strategy.faithfulness_weight": "Weight of faithfulness",
  "strategy.relevance_weight": "Weight of relevance",
  "strategy.completeness_weight": "Weight of completeness",
  "strategy.reasoning_weight": "Weight of the reasoning",
  "budget.calls": "Model calls",
  "budget.tokens": "Tokens",
  "budget.seconds": "Seconds spent waiting for the model",
  "budget.cost": "Cost",
  "models.prompt_tokens": "Tokens shown to the model",
  "models.timeout_s": "Seconds for one request",
  "models.attempts": "Attempts",
  "models.chat_price": "Chat model",
  "models.judge_price": "Judge",
  "models.fallback_price": "Stand-in",
  "models.threads": "Processor cores for local models",
  "models.embedder": "the embedder",
  "server.question_characters": "Characters of a question",
  "server.files": "Files of an upload",
  "server.file_mb": "Megabytes of a file",
  "server.upload_mb": "Megabytes of an upload",
  "server.body_kb": "Kilobytes of any other request",
  "server.runs": "Questions answered at once",
  "server.waiting": "Questions that may wait",
  "ingest.max_file_mb": "Megabytes of a file that is read",
  "ingest.max_pages": "Pages of a document",
  "ingest.timeout_s": "Seconds of processor time for a file",
  "ingest.workers": "Processes that read files",
};

/** Where what the service says of a setting speaks of how it is written in the file. */
export const MEANINGS = {
  "answers.most_wrong":
    "With 20%, an answer must be at least 80% likely right. Empty: every answer is given, with its confidence.",
  "answers.below": "What happens to an answer that is less sure than that.",
  conversational_mode:
    "Used when a program does not say which it wants. If off, each question is answered by itself. On this page, chat always remembers.",
};

export const CHOICES = {
  withhold: "is not given",
  show_unsure: "is given, marked as unsure",
};
