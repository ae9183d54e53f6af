import { formatBytes, type HttpResponse, openHttp, ResponseTooLong, readPieces, releaseBody } from "@fairlead/http";
import { FeedRefused } from "./feed-refused.ts";
import { parseJson } from "./parse-json.ts";
import { type RowsOptions, readRows } from "./read-rows.ts";

export type Fetcher = {
  /** fetchJson reads one document of a feed. Headers may contain a key, so they are never disclosed. */
  fetchJson: (url: string, headers?: Record<string, string>) => Promise<unknown>;
  /** fetchRows reads a long CSV list of a feed row by row, without keeping it in memory. */
  fetchRows: (url: string, take: (row: readonly string[]) => void, options: RowsOptions) => Promise<void>;
};

export type FetchLimits = {
  /** For one document in memory. The largest, AWS' data transfer of a region, has a few megabytes. */
  mostBytes: number;
  /**
   * For all of these together. Lists that are read row by row aren't kept, so they don't count: those of all regions have more,
   * and mostDocuments and wholeMs limit them.
   */
  mostBytesInAll: number;
  /** For one list that is read row by row. AWS' machines of a region have hundreds of megabytes. */
  mostListBytes: number;
  mostDocuments: number;
  /** For each document: until the response begins, and between two chunks. */
  silenceMs: number;
  /** For the whole read. */
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
 * openFetcher creates the fetcher for one read of a feed. It limits the harm of a faulty or malicious server: long documents
 * are aborted while they arrive, redirects are not followed, and every wait has a timeout.
 */
export function openFetcher(limits: FetchLimits, signal: AbortSignal): Fetcher & { close: () => Promise<void> } {
  const client = openHttp({ connectTimeoutMs: limits.silenceMs, maxConnections: 4 });
  const ended = AbortSignal.any([signal, AbortSignal.timeout(limits.wholeMs)]);
  let bytesLeft = limits.mostBytesInAll;
  let documents = 0;

  /** read returns the parsed document. Each failure has a message for users. */
  async function read<T>(
    url: string,
    most: number,
    headers: Record<string, string>,
    hasKey: boolean,
    take: (pieces: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T> {
    documents++;
    if (documents > limits.mostDocuments)
      throw new FeedRefused("endless", `The feed has more than ${limits.mostDocuments} pages.`);
    try {
      const answer = await client.send({
        url: new URL(url),
        headers,
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
    return new FeedRefused(
      "redirected",
      `${hostOf(url)} redirects${to ? ` to ${to}` : ""}; redirects are not followed.`,
    );
  }
  if (hasKey && (status === 401 || status === 403))
    return new FeedRefused("refused", `${hostOf(url)} rejects the key (status ${status}).`);
  return new FeedRefused("refused", `${hostOf(url)} returned status ${status}.`);
}

function explain(url: string, error: unknown, signal: AbortSignal): unknown {
  const { name = "", code = "" } = error as { name?: string; code?: string };
  if (signal.aborted && signal.reason?.name !== "TimeoutError") return error;
  const host = hostOf(url);
  if (error instanceof ResponseTooLong)
    return new FeedRefused("too-long", `The response of ${host} is longer than ${formatBytes(error.maxBytes)}.`, {
      cause: error,
    });
  if (signal.aborted || /TIMEOUT/i.test(code) || name === "TimeoutError")
    return new FeedRefused("too-slow", `${host} does not respond in time.`, { cause: error });
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH")
    return new FeedRefused("truncated", `${host} closed the connection before the end of its response.`, {
      cause: error,
    });
  const why = { ECONNREFUSED: "connection refused", ENOTFOUND: "no such host", EAI_AGAIN: "no such host" }[code];
  return new FeedRefused("unreachable", `${host} can't be reached${why ? ` (${why})` : ""}.`, { cause: error });
}

function hostOf(url: string): string {
  return new URL(url).host;
}
