import http, { type Agent, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import { MapError } from "../errors.ts";

export type Ask = {
  agent: Agent;
  headers: Record<string, string>;
  /** Until the answer begins, and from then until it has ended. */
  answerWithinMs: number;
  bodyWithinMs: number;
  mostBytes: number;
  /** Whether a request under way keeps the process alive. */
  isRef: boolean;
  /** Whether to try once more where a kept connection turns out to be closed. */
  isRepeatable: boolean;
  signal: AbortSignal;
};

export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** createAgent keeps one connection for the polls and one for whoever can't wait. */
export function createAgent(url: URL, ca: string | undefined): Agent {
  const options = { keepAlive: true, keepAliveMsecs: 15_000, maxSockets: 2, maxFreeSockets: 1 };
  return url.protocol === "https:" ? new https.Agent({ ...options, ...(ca ? { ca } : {}) }) : new http.Agent(options);
}

/**
 * get asks once. Node's own fetch can't let a process end while it waits, which a map that is followed in the
 * background must; so this is `node:http`, with every wait and size bounded. Redirects are answers like others.
 */
export async function get(url: URL, ask: Ask): Promise<Answer> {
  try {
    return await getOnce(url, ask);
  } catch (error) {
    // A server may close a kept connection at the moment that we use it: that says nothing about the server.
    if (!ask.isRepeatable || !(error instanceof StaleConnection)) throw error;
    return getOnce(url, ask);
  }
}

class StaleConnection extends MapError {}

function getOnce(url: URL, ask: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (ask.signal.aborted) {
      reject(new MapError("stopped", "The mapper was stopped."));
      return;
    }
    const request = (url.protocol === "https:" ? https : http).request(url, {
      agent: ask.agent,
      headers: { ...ask.headers, "accept-encoding": "identity" },
    });
    let timer = expire(ask.answerWithinMs, "began");
    let hasAnswer = false;

    function expire(ms: number, verb: string): NodeJS.Timeout {
      const message = `No answer from ${url.origin} ${verb} within ${ms} ms.`;
      const started = setTimeout(() => fail(new MapError("unavailable", message)), ms);
      return ask.isRef ? started : started.unref();
    }
    function settle(): void {
      clearTimeout(timer);
      ask.signal.removeEventListener("abort", onAbort);
    }
    function fail(error: MapError): void {
      settle();
      reject(error);
      request.destroy();
    }
    function onAbort(): void {
      fail(new MapError("stopped", "The mapper was stopped."));
    }

    ask.signal.addEventListener("abort", onAbort, { once: true });
    request.on("socket", (socket) => (ask.isRef ? socket.ref() : socket.unref()));
    request.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && !hasAnswer && (error.code === "ECONNRESET" || error.code === "EPIPE");
      fail(new (isStale ? StaleConnection : MapError)("unavailable", unreachable(url, error), { cause: error }));
    });
    request.on("response", (response) => {
      hasAnswer = true;
      clearTimeout(timer);
      timer = expire(ask.bodyWithinMs, "ended");
      readBody(response, url, ask.mostBytes).then((body) => {
        settle();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      }, fail);
    });
    request.end();
  });
}

function readBody(response: IncomingMessage, url: URL, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = () =>
      reject(new MapError("too-large", `The answer of ${url.origin} is longer than maxBytes, ${mostBytes}: raise it.`));
    if (Number(response.headers["content-length"] ?? 0) > mostBytes) {
      tooLarge();
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostBytes) tooLarge();
      else chunks.push(chunk);
    });
    const cut = () => reject(new MapError("unavailable", `The answer of ${url.origin} was cut off.`));
    response.on("end", () => (response.complete ? resolve(Buffer.concat(chunks)) : cut()));
    response.on("error", cut);
    response.on("close", cut);
  });
}

function unreachable(url: URL, error: NodeJS.ErrnoException): string {
  return `${url.origin} can't be reached: ${error.code ?? error.message}.`;
}
