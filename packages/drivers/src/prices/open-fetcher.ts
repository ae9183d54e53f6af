import { Agent, type Dispatcher, request } from "undici";
import { FeedRefused } from "./feed-refused.ts";
import { parseJson } from "./parse-json.ts";
import { type RowsOptions, readRows } from "./read-rows.ts";

export type Fetcher = {
  /** fetchJson reads one document of a feed. Headers may hold a key; they are never told. */
  fetchJson: (url: string, headers?: Record<string, string>) => Promise<unknown>;
  /** fetchRows reads a long list of a feed, as CSV, a row at a time: nothing of it is kept. */
  fetchRows: (url: string, take: (row: readonly string[]) => void, options: RowsOptions) => Promise<void>;
};

export type FetchLimits = {
  /** For one document that is kept. The largest that is asked for, AWS' data transfer of a region, has a few megabytes. */
  mostBytes: number;
  /** For all documents of a reading. */
  mostBytesInAll: number;
  /** For one list that is read by rows. That of AWS' machines of a region has hundreds of megabytes. */
  mostListBytes: number;
  mostDocuments: number;
  /** For each: to connect and begin to answer, and between two pieces of it. */
  silenceMs: number;
  /** For the whole reading. */
  wholeMs: number;
};

export const feedLimits: FetchLimits = {
  mostBytes: 64 * 1024 * 1024,
  mostBytesInAll: 512 * 1024 * 1024,
  mostListBytes: 1024 * 1024 * 1024,
  mostDocuments: 500,
  silenceMs: 20_000,
  wholeMs: 9 * 60_000,
};

/**
 * openFetcher makes what one reading of a feed is fetched with. What a provider, or whoever stands in its place, may do to
 * us is bounded: a document is cut off as it comes, no redirect is followed, nothing is waited for without an end.
 */
export function openFetcher(limits: FetchLimits, signal: AbortSignal): Fetcher & { close: () => Promise<void> } {
  const agent = new Agent({ connect: { timeout: limits.silenceMs }, connections: 4 });
  const ended = AbortSignal.any([signal, AbortSignal.timeout(limits.wholeMs)]);
  let bytesLeft = limits.mostBytesInAll;
  let documents = 0;

  /** read answers what becomes of a document; each failure is told as its reader would understand it. */
  async function read<T>(
    url: string,
    most: number,
    headers: Record<string, string>,
    hasKey: boolean,
    take: (pieces: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T> {
    documents++;
    if (documents > limits.mostDocuments)
      throw new FeedRefused("endless", `It goes on after ${limits.mostDocuments} pages.`);
    try {
      const { silenceMs } = limits;
      const answer = await request(url, {
        dispatcher: agent,
        headers: { "user-agent": "fairlead", ...headers },
        headersTimeout: silenceMs,
        bodyTimeout: silenceMs,
        signal: ended,
      });
      const refusal = refusalOf(url, answer, hasKey);
      if (!refusal) return await take(bounded(url, answer.body, most));
      letGo(answer.body);
      throw refusal;
    } catch (error) {
      throw error instanceof FeedRefused ? error : explain(url, error, ended);
    }
  }

  return {
    fetchJson(url, headers = {}) {
      const most = Math.min(limits.mostBytes, bytesLeft);
      return read(
        url,
        most,
        { accept: "application/json", ...headers },
        Object.keys(headers).length > 0,
        async (pieces) => {
          const kept: Buffer[] = [];
          for await (const piece of pieces) kept.push(piece);
          const bytes = Buffer.concat(kept);
          bytesLeft -= bytes.length;
          return parseJson(hostOf(url), bytes);
        },
      );
    },
    fetchRows: (url, take, options) =>
      read(url, limits.mostListBytes, { accept: "text/csv" }, false, (pieces) =>
        readRows(hostOf(url), pieces, take, options),
      ),
    close: () => agent.destroy(),
  };
}

function refusalOf(url: string, { statusCode, headers }: Dispatcher.ResponseData, hasKey: boolean): FeedRefused | null {
  if (statusCode === 200) return null;
  if (statusCode >= 300 && statusCode < 400) {
    const to = URL.parse(String(headers.location ?? ""), url)?.host;
    return new FeedRefused("redirected", `${hostOf(url)} sends on${to ? ` to ${to}` : ""}, and that isn't followed.`);
  }
  if (hasKey && (statusCode === 401 || statusCode === 403))
    return new FeedRefused("refused", `${hostOf(url)} refuses the key (status ${statusCode}).`);
  return new FeedRefused("refused", `${hostOf(url)} answers with status ${statusCode}.`);
}

/** bounded passes on what comes, until that is too much. */
async function* bounded(url: string, body: Dispatcher.ResponseData["body"], most: number): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > most) {
      letGo(body);
      throw new FeedRefused("too-long", `What ${hostOf(url)} sends is longer than ${sizeOf(most)}, and was cut off.`);
    }
    yield piece;
  }
}

/** letGo ends an answer that nobody reads on. It says so by an error, which would end the process if nobody heard it. */
function letGo(body: Dispatcher.ResponseData["body"]): void {
  body.on("error", () => {});
  body.destroy();
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
