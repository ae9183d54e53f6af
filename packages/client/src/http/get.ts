import http, { type Agent, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import { MapError } from "../errors.ts";

export type GetOptions = {
  agent: Agent;
  headers: Record<string, string>;
  /** Until the response begins, and from then until it is complete. */
  responseTimeoutMs: number;
  bodyTimeoutMs: number;
  maxBytes: number;
  /** Whether a pending request keeps the process alive. */
  isRef: boolean;
  /** Whether to retry once if a reused connection turns out to be closed. */
  isRepeatable: boolean;
  signal: AbortSignal;
};

export type GetResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** createAgent allows one connection for long polls and one for other requests. */
export function createAgent(url: URL, ca: string | undefined): Agent {
  const options = { keepAlive: true, keepAliveMsecs: 15_000, maxSockets: 2, maxFreeSockets: 1 };
  return url.protocol === "https:" ? new https.Agent({ ...options, ...(ca ? { ca } : {}) }) : new http.Agent(options);
}

/**
 * get sends one GET request. Node's fetch would keep the process alive while it waits, which a map that is followed in
 * the background must not; so this uses `node:http`, with a limit for every wait and size. It doesn't follow redirects.
 */
export async function get(url: URL, options: GetOptions): Promise<GetResponse> {
  try {
    return await getOnce(url, options);
  } catch (error) {
    // A server may close an idle connection just when it is reused: that is not a failure of the server.
    if (!options.isRepeatable || !(error instanceof StaleConnection)) throw error;
    return getOnce(url, options);
  }
}

class StaleConnection extends MapError {}

function getOnce(url: URL, options: GetOptions): Promise<GetResponse> {
  return new Promise((resolve, reject) => {
    if (options.signal.aborted) {
      reject(new MapError("stopped", "The mapper was stopped."));
      return;
    }
    const request = (url.protocol === "https:" ? https : http).request(url, {
      agent: options.agent,
      headers: { ...options.headers, "accept-encoding": "identity" },
    });
    let timer = expire(options.responseTimeoutMs, "begin");
    let hasResponse = false;

    function expire(ms: number, verb: string): NodeJS.Timeout {
      const message = `The response from ${url.origin} did not ${verb} within ${ms} ms.`;
      const started = setTimeout(() => fail(new MapError("unavailable", message)), ms);
      return options.isRef ? started : started.unref();
    }
    function settle(): void {
      clearTimeout(timer);
      options.signal.removeEventListener("abort", onAbort);
    }
    function fail(error: MapError): void {
      settle();
      reject(error);
      request.destroy();
    }
    function onAbort(): void {
      fail(new MapError("stopped", "The mapper was stopped."));
    }

    options.signal.addEventListener("abort", onAbort, { once: true });
    request.on("socket", (socket) => (options.isRef ? socket.ref() : socket.unref()));
    request.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && !hasResponse && (error.code === "ECONNRESET" || error.code === "EPIPE");
      fail(new (isStale ? StaleConnection : MapError)("unavailable", unreachable(url, error), { cause: error }));
    });
    request.on("response", (response) => {
      hasResponse = true;
      clearTimeout(timer);
      timer = expire(options.bodyTimeoutMs, "end");
      readBody(response, url, options.maxBytes).then((body) => {
        settle();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      }, fail);
    });
    request.end();
  });
}

function readBody(response: IncomingMessage, url: URL, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = () =>
      reject(
        new MapError("too-large", `The response from ${url.origin} exceeds maxBytes (${maxBytes}): raise the limit.`),
      );
    if (Number(response.headers["content-length"] ?? 0) > maxBytes) {
      tooLarge();
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) tooLarge();
      else chunks.push(chunk);
    });
    const cut = () => reject(new MapError("unavailable", `The response from ${url.origin} was cut off.`));
    response.on("end", () => (response.complete ? resolve(Buffer.concat(chunks)) : cut()));
    response.on("error", cut);
    response.on("close", cut);
  });
}

function unreachable(url: URL, error: NodeJS.ErrnoException): string {
  return `${url.origin} can't be reached: ${error.code ?? error.message}.`;
}
