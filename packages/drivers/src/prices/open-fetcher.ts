import { formatBytes, type HttpResponse, openHttp, ResponseTooLong, readPieces, releaseBody } from "@fairlead/http";
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
  const client = openHttp({ connectTimeoutMs: limits.silenceMs, maxConnections: 4 });
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
      const answer = await client.send({
        url: new URL(url),
        headers: { "user-agent": "fairlead", ...headers },
        firstByteTimeoutMs: limits.silenceMs,
        silenceTimeoutMs: limits.silenceMs,
        signal: ended,
      });
      const refusal = refusalOf(url, answer, hasKey);
      if (!refusal) return await take(readPieces(answer.body, most));
      releaseBody(answer.body);
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
    close: client.close,
  };
}

function refusalOf(
  url: string,
  { status, headers }: Pick<HttpResponse, "status" | "headers">,
  hasKey: boolean,
): FeedRefused | null {
  if (status === 200) return null;
  if (status >= 300 && status < 400) {
    const to = URL.parse(String(headers.location ?? ""), url)?.host;
    return new FeedRefused("redirected", `${hostOf(url)} sends on${to ? ` to ${to}` : ""}, and that isn't followed.`);
  }
  if (hasKey && (status === 401 || status === 403))
    return new FeedRefused("refused", `${hostOf(url)} refuses the key (status ${status}).`);
  return new FeedRefused("refused", `${hostOf(url)} answers with status ${status}.`);
}

function explain(url: string, error: unknown, signal: AbortSignal): unknown {
  const { name = "", code = "" } = error as { name?: string; code?: string };
  if (signal.aborted && signal.reason?.name !== "TimeoutError") return error;
  const host = hostOf(url);
  if (error instanceof ResponseTooLong)
    return new FeedRefused(
      "too-long",
      `What ${host} sends is longer than ${formatBytes(error.maxBytes)}, and was cut off.`,
      { cause: error },
    );
  if (signal.aborted || /TIMEOUT/i.test(code) || name === "TimeoutError")
    return new FeedRefused("too-slow", `${host} takes too long to answer.`, { cause: error });
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH")
    return new FeedRefused("truncated", `${host} broke off in the middle of its answer.`, { cause: error });
  const why = { ECONNREFUSED: "connection refused", ENOTFOUND: "no such host", EAI_AGAIN: "no such host" }[code];
  return new FeedRefused("unreachable", `${host} can't be reached${why ? ` (${why})` : ""}.`, { cause: error });
}

function hostOf(url: string): string {
  return new URL(url).host;
}
