export type StreamEvent = { id: string; event: string; data: Record<string, unknown> };

/** readEvents reads server-sent events as a client does; leaving the loop closes the connection. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent, void> {
  if (!response.body) return;
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) if (!block.startsWith(":")) yield parseEvent(block);
  }
}

function parseEvent(block: string): StreamEvent {
  const fields = new Map(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  const data = JSON.parse(fields.get("data") ?? "{}") as Record<string, unknown>;
  return { id: fields.get("id") ?? "", event: fields.get("event") ?? "", data };
}
