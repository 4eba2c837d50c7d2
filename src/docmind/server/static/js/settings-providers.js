// A model's name as people choose it: a provider, an address where it has one, and the model there.

/** Providers of chat models, each with how it is called on the page. */
export const PROVIDERS = [
  ["openai", "OpenAI"],
  ["anthropic", "Anthropic"],
  ["google_genai", "Google"],
  ["ollama", "Ollama, on the server"],
  ["server", "A server that speaks OpenAI's protocol"],
  ["gguf", "A GGUF file on the server"],
  ["other", "Another provider, by name"],
];

export const placeholders = {
  openai: "gpt-5-mini",
  anthropic: "claude-sonnet-4-5",
  google_genai: "gemini-2.5-flash",
  ollama: "llama3.1:8b",
  server: "if it has several",
  gguf: "/models/model.gguf",
  other: "provider:model",
};

const KNOWN = PROVIDERS.map(([name]) => name).filter((name) => !["server", "other"].includes(name));

/** `openai:model`, or an address with `#model` behind it, taken apart. */
export function parts(name) {
  if (!name || name === "none") return { provider: name ?? "", address: "", model: "" };
  if (/^https?:/.test(name)) {
    const [address, model = ""] = splitOnce(name, "#");
    return { provider: "server", address, model };
  }
  const [provider, model = ""] = splitOnce(name, ":");
  return KNOWN.includes(provider)
    ? { provider, address: "", model }
    : { provider: "other", address: "", model: name };
}

/** The name that the service knows it by. */
export function composed({ provider, address, model }) {
  const named = model.trim();
  if (provider === "server") return whole(address) + (named ? `#${named}` : "");
  if (provider === "other") return named;
  return KNOWN.includes(provider) ? `${provider}:${named}` : provider;
}

/** Whether it is a model that is chosen, and not to do without one. */
export const isModel = (provider) => PROVIDERS.some(([name]) => name === provider);

/** Whether a provider is asked over the network, and may want a key. */
export const isRemote = (provider) => ["openai", "anthropic", "google_genai", "server", "other"].includes(provider);

/** An address as people may write it, with its scheme: without one it would be taken for a provider. */
export function whole(address) {
  const written = address.trim();
  return !written || /^[a-z]+:\/\//i.test(written) ? written : ["http", written].join("://");
}

function splitOnce(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
