import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";

export type Sent = {
  method?: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: object | string;
  /** The address of the sender: each on loopback can be another client. */
  from?: string;
};

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

// A sender's address belongs to its connections, so that each has its own agent.
const agents = new Map<string, Agent>();
const timeoutMs = 60_000;

/** send makes a request with exactly these headers: fetch sets some itself, and doesn't let others be set. */
export async function send(url: string, sent: Sent = {}): Promise<Answer> {
  const response = await open(url, sent);
  // A stream of events has no end.
  if (response.headers["content-type"]?.startsWith("text/event-stream")) {
    response.destroy();
    return { status: response.statusCode ?? 0, headers: response.headers, text: "" };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

/** open sends a request, and returns its response as soon as its headers have arrived. */
export function open(
  url: string,
  { method = "GET", headers = {}, body, from = "127.0.0.1" }: Sent = {},
): Promise<IncomingMessage> {
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const type = typeof body === "object" ? { "content-type": "application/json" } : {};
  return new Promise((resolve, reject) => {
    const sending = request(
      url,
      { method, agent: agentOf(from), headers: { ...type, ...headers }, timeout: timeoutMs },
      resolve,
    );
    sending.once("error", reject);
    sending.once("timeout", () => sending.destroy(new Error(`no answer from ${url} in ${timeoutMs} ms`)));
    sending.end(text);
  });
}

function agentOf(from: string): Agent {
  const agent = agents.get(from) ?? new Agent({ keepAlive: true, maxSockets: 32, localAddress: from });
  agents.set(from, agent);
  return agent;
}

/** closeConnections ends the idle connections of all senders. */
export function closeConnections(): void {
  for (const agent of agents.values()) agent.destroy();
}
