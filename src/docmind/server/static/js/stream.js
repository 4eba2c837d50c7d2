// Reads server-sent events from a response to a POST, which the browser's EventSource cannot send.

/** Each event of the body as `{type, data}`, its data parsed. */
export async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      waiting += value.replaceAll("\r", "");
      const blocks = waiting.split("\n\n");
      waiting = blocks.pop();
      for (const block of blocks) {
        const event = parse(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function parse(block) {
  let type = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) type = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5));
  }
  return data.length ? { type, data: JSON.parse(data.join("\n")) } : null;
}
