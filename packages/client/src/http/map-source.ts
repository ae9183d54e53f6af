import type { Agent } from "node:http";
import { MapError } from "../errors.ts";
import type { AddressMap } from "../map/address-map.ts";
import { readMap } from "../map/read-map.ts";
import { type Answer, createAgent, get } from "./get.ts";
import { readRetryAfter } from "./retry-after.ts";

export type HeadersOf = () => Record<string, string> | Promise<Record<string, string>>;

export type SourceOptions = {
  url: URL;
  exposureId: string;
  headersOf: HeadersOf;
  ca?: string | undefined;
  requestTimeoutMs: number;
  mostBytes: number;
  mostEnds: number;
  now: () => number;
};

/** What to ask for: the map as it is now, or what comes after a generation, which may take a while. */
export type Question = {
  etag: string | null;
  wait?: { seconds: number; after: number };
  /** Whether the process has to stay until it is answered. */
  isRef: boolean;
};
export type Reply = { kind: "unchanged" } | { kind: "map"; map: AddressMap; etag: string | null };

const mostRedirects = 3;

/** MapSource reads one exposure's map from the control plane. The key goes to no other server. */
export class MapSource {
  readonly #options: SourceOptions;
  readonly #agent: Agent;

  constructor(options: SourceOptions) {
    this.#options = options;
    this.#agent = createAgent(options.url, options.ca);
  }

  async read(question: Question, signal: AbortSignal): Promise<Reply> {
    const { etag, wait } = question;
    const { url: base, exposureId } = this.#options;
    const path = `${base.pathname.replace(/\/$/, "")}/api/v1/exposures/${encodeURIComponent(exposureId)}/mappings`;
    const url = new URL(path, base);
    if (wait) url.search = new URLSearchParams({ wait: `${wait.seconds}s`, after: String(wait.after) }).toString();
    const answer = await this.#get(url, question, signal);
    if (answer.status === 304 && etag !== null) return { kind: "unchanged" };
    if (answer.status !== 200) throw refusal(answer, url, this.#options.now());
    return this.#parse(answer, url);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #get(url: URL, { etag, wait, isRef }: Question, signal: AbortSignal): Promise<Answer> {
    const { headersOf, requestTimeoutMs, mostBytes } = this.#options;
    const own = await headersOf();
    const headers = { ...own, accept: "application/json", ...(etag === null ? {} : { "if-none-match": etag }) };
    let at = url;
    for (let redirects = 0; ; redirects++) {
      const answer = await get(at, {
        agent: this.#agent,
        headers,
        answerWithinMs: (wait?.seconds ?? 0) * 1_000 + requestTimeoutMs,
        bodyWithinMs: requestTimeoutMs,
        mostBytes,
        isRef,
        // A question that waited may have outlived a server: what comes next must not rest on what that one knew.
        isRepeatable: wait === undefined,
        signal,
      });
      const { location } = answer.headers;
      if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return answer;
      at = followable(at, location, redirects);
    }
  }

  #parse({ headers, body }: Answer, url: URL): Reply {
    const type = headers["content-type"] ?? "nothing";
    if (!/^application\/([\w.+-]+\+)?json\b/i.test(type))
      throw new MapError(
        "malformed",
        `${url.origin} answers ${type} where JSON was expected: is url the control plane's?`,
      );
    let value: unknown;
    try {
      value = JSON.parse(body.toString("utf8"));
    } catch (cause) {
      throw new MapError("malformed", `${url.origin} answers JSON that can't be read.`, { cause });
    }
    const map = readMap(value, this.#options.mostEnds);
    if (map.exposureId !== this.#options.exposureId)
      throw new MapError("malformed", `${url.origin} answers the map of ${map.exposureId}, not of the one asked for.`);
    return { kind: "map", map, etag: headers.etag ?? null };
  }
}

function followable(from: URL, location: string, redirects: number): URL {
  let to: URL;
  try {
    to = new URL(location, from);
  } catch {
    throw new MapError("redirected", `${from.origin} redirects to an address that can't be read.`);
  }
  if (to.origin !== from.origin)
    throw new MapError("redirected", `${from.origin} redirects to ${to.origin}: if that is right, give it as url.`);
  if (redirects >= mostRedirects) throw new MapError("redirected", `${from.origin} redirects in circles.`);
  return to;
}

function refusal({ status, headers, body }: Answer, url: URL, now: number): MapError {
  const said = detailOf(body);
  const message = `${url.origin} answers ${status}${said ? `: ${said}` : "."}`;
  const retryAfterMs = readRetryAfter(headers["retry-after"], now);
  const more = { status, retryAfterMs };
  if (status === 401 || status === 403) return new MapError("refused", message, more);
  if (status === 404 || status === 410) return new MapError("not-found", message, more);
  if (status === 429) return new MapError("rate-limited", message, more);
  return new MapError("unavailable", message, more);
}

/** A problem (RFC 9457) says in `detail` what to do. */
function detailOf(body: Buffer): string | null {
  try {
    const { detail } = JSON.parse(body.toString("utf8")) as { detail?: unknown };
    return typeof detail === "string" ? detail.slice(0, 300) : null;
  } catch {
    return null;
  }
}
