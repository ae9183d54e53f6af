import type { ConnectRouter } from "@connectrpc/connect";

/** The start of connect's message about bytes that are not the expected protobuf message. */
const malformed = "parse binary:";

/**
 * refuseMalformed reports a message that can't be parsed as the sender's mistake. Connect reports it as an internal
 * error, so an agent would send the same bytes again and again, and the fault would be searched in the control plane.
 */
export function refuseMalformed(router: ConnectRouter): void {
  for (const [at, handle] of router.handlers.entries()) {
    const refuse = async (request: Parameters<typeof handle>[0]) => {
      const response = await handle(request);
      if (isStream(response.header) && response.body) return { ...response, body: refuseAtEnd(response.body) };
      if (response.status !== 500 || !response.body || response.header?.has("content-encoding")) return response;
      const text = await textOf(response.body);
      const problem = JSON.parse(text) as { message?: string };
      if (!problem.message?.startsWith(malformed)) return { ...response, body: bytesOf(text) };
      const refusal = JSON.stringify({ ...problem, code: "invalid_argument" });
      response.header?.set("content-length", String(Buffer.byteLength(refusal)));
      return { ...response, status: 400, body: bytesOf(refusal) };
    };
    router.handlers[at] = Object.assign(refuse, handle);
  }
}

function isStream(header: Headers | undefined): boolean {
  return header?.get("content-type")?.startsWith("application/connect+") ?? false;
}

/** The outcome of a stream is its last message, in JSON: a byte with flags, four with the length, then the text. */
const endOfStream = 2;
const prefixBytes = 5;

async function* refuseAtEnd(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const message of body) {
    if (message[0] !== endOfStream) {
      yield message;
      continue;
    }
    const text = Buffer.from(message.subarray(prefixBytes)).toString();
    const end = text === "" ? {} : (JSON.parse(text) as { error?: { message?: string } });
    if (!end.error?.message?.startsWith(malformed)) {
      yield message;
      continue;
    }
    const refusal = Buffer.from(JSON.stringify({ ...end, error: { ...end.error, code: "invalid_argument" } }));
    const prefix = Buffer.alloc(prefixBytes);
    prefix.writeUInt8(endOfStream);
    prefix.writeUInt32BE(refusal.byteLength, 1);
    yield Buffer.concat([prefix, refusal]);
  }
}

/** The body of an error is short: connect wrote it itself. */
async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}
