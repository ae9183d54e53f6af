import { Agent, type Dispatcher, request } from "undici";
import { FeedRefused } from "./feed-refused.ts";

/** fetchJson reads one document of a feed. Headers may hold a key; they are never told. */
export type JsonFetcher = (url: string, headers?: Record<string, string>) => Promise<unknown>;

export type FetchLimits = {
  /** For one document. The largest that is asked for, AWS' data transfer of a region, has a few megabytes. */
  mostBytes: number;
  /** For all documents of a reading. */
  mostBytesInAll: number;
  mostDocuments: number;
  /** For each: to connect and begin to answer, and between two pieces of it. */
  silenceMs: number;
  /** For the whole reading. */
  wholeMs: number;
};

export const feedLimits: FetchLimits = {
  mostBytes: 64 * 1024 * 1024,
  mostBytesInAll: 512 * 1024 * 1024,
  mostDocuments: 500,
  silenceMs: 20_000,
  wholeMs: 5 * 60_000,
};

/**
 * openFetcher makes what one reading of a feed is fetched with. What a provider, or whoever stands in its place, may do to
 * us is bounded: a document is cut off as it comes, no redirect is followed, nothing is waited for without an end.
 */
export function openFetcher(
  limits: FetchLimits,
  signal: AbortSignal,
): { fetchJson: JsonFetcher; close: () => Promise<void> } {
  const agent = new Agent({ connect: { timeout: limits.silenceMs }, connections: 4 });
  const ended = AbortSignal.any([signal, AbortSignal.timeout(limits.wholeMs)]);
  let bytesLeft = limits.mostBytesInAll;
  let documents = 0;
  return {
    async fetchJson(url, headers = {}) {
      documents++;
      if (documents > limits.mostDocuments)
        throw new FeedRefused("endless", `It goes on after ${limits.mostDocuments} pages.`);
      const most = Math.min(limits.mostBytes, bytesLeft);
      const bytes = await fetchBytes(url, { headers, agent, signal: ended, silenceMs: limits.silenceMs, most });
      bytesLeft -= bytes.length;
      return parseJson(url, bytes);
    },
    close: () => agent.destroy(),
  };
}

type Fetching = {
  headers: Record<string, string>;
  agent: Dispatcher;
  signal: AbortSignal;
  silenceMs: number;
  most: number;
};

async function fetchBytes(url: string, { headers, agent, signal, silenceMs, most }: Fetching): Promise<Buffer> {
  try {
    const answer = await request(url, {
      dispatcher: agent,
      headers: { accept: "application/json", "user-agent": "fairlead", ...headers },
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      signal,
    });
    const refusal = refusalOf(url, answer);
    if (refusal) {
      letGo(answer.body);
      throw refusal;
    }
    return await readBounded(url, answer.body, most);
  } catch (error) {
    if (error instanceof FeedRefused) throw error;
    throw explain(url, error, signal);
  }
}

function refusalOf(url: string, { statusCode, headers }: Dispatcher.ResponseData): FeedRefused | null {
  if (statusCode === 200) return null;
  if (statusCode >= 300 && statusCode < 400) {
    const to = URL.parse(String(headers.location ?? ""), url)?.host;
    return new FeedRefused("redirected", `${hostOf(url)} sends on${to ? ` to ${to}` : ""}, and that isn't followed.`);
  }
  if (statusCode === 401 || statusCode === 403)
    return new FeedRefused("refused", `${hostOf(url)} refuses the key (status ${statusCode}).`);
  return new FeedRefused("refused", `${hostOf(url)} answers with status ${statusCode}.`);
}

async function readBounded(url: string, body: Dispatcher.ResponseData["body"], most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) {
      letGo(body);
      throw new FeedRefused("too-long", `What ${hostOf(url)} sends is longer than ${sizeOf(most)}, and was cut off.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** letGo ends an answer that nobody reads on. It says so by an error, which would end the process if nobody heard it. */
function letGo(body: Dispatcher.ResponseData["body"]): void {
  body.on("error", () => {});
  body.destroy();
}

function parseJson(url: string, bytes: Buffer): unknown {
  const text = bytes.toString("utf8");
  try {
    return JSON.parse(text);
  } catch (cause) {
    // What ends in the middle of itself was cut off on its way; what never was JSON is something else.
    const begins = /^\s*[[{]/.test(text) && !/[\]}]\s*$/.test(text);
    throw begins
      ? new FeedRefused("truncated", `What ${hostOf(url)} sends ends in the middle.`, { cause })
      : new FeedRefused("malformed", `What ${hostOf(url)} sends is no JSON.`, { cause });
  }
}

function explain(url: string, error: unknown, signal: AbortSignal): unknown {
  const { name = "", code = "" } = error as { name?: string; code?: string };
  if (signal.aborted && signal.reason?.name !== "TimeoutError") return error;
  const host = hostOf(url);
  if (signal.aborted || /TIMEOUT/i.test(code) || name === "TimeoutError")
    return new FeedRefused("too-slow", `${host} takes too long to answer.`, { cause: error });
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH")
    return new FeedRefused("truncated", `${host} broke off in the middle of its answer.`, { cause: error });
  const why = { ECONNREFUSED: "connection refused", ENOTFOUND: "no such host", EAI_AGAIN: "no such host" }[code];
  return new FeedRefused("unreachable", `${host} can't be reached${why ? ` (${why})` : ""}.`, { cause: error });
}

function sizeOf(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
}

function hostOf(url: string): string {
  return new URL(url).host;
}
