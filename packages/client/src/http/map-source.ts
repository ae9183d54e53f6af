import type { Agent } from "node:http";
import { MapError } from "../errors.ts";
import type { AddressMap } from "../map/address-map.ts";
import { readMap } from "../map/read-map.ts";
import { createAgent, type GetResponse, get } from "./get.ts";
import { readRetryAfter } from "./retry-after.ts";

export type HeadersOf = () => Record<string, string> | Promise<Record<string, string>>;

export type SourceOptions = {
  url: URL;
  exposureId: string;
  headersOf: HeadersOf;
  ca?: string | undefined;
  requestTimeoutMs: number;
  maxBytes: number;
  maxEnds: number;
  now: () => number;
};

/** Request for the current map, or a long poll for the next map after a generation. */
export type MapRequest = {
  etag: string | null;
  wait?: { seconds: number; after: number };
  /** Whether a pending request keeps the process alive. */
  isRef: boolean;
};
export type Reply = { kind: "unchanged" } | { kind: "map"; map: AddressMap; etag: string | null };

const maxRedirects = 3;

/** MapSource reads one exposure's map from the control plane. It never sends the key to another server. */
export class MapSource {
  readonly #options: SourceOptions;
  readonly #agent: Agent;

  constructor(options: SourceOptions) {
    this.#options = options;
    this.#agent = createAgent(options.url, options.ca);
  }

  async read(request: MapRequest, signal: AbortSignal): Promise<Reply> {
    const { etag, wait } = request;
    const { url: base, exposureId } = this.#options;
    const path = `${base.pathname.replace(/\/$/, "")}/api/v1/exposures/${encodeURIComponent(exposureId)}/mappings`;
    const url = new URL(path, base);
    if (wait) url.search = new URLSearchParams({ wait: `${wait.seconds}s`, after: String(wait.after) }).toString();
    const response = await this.#get(url, request, signal);
    if (response.status === 304 && etag !== null) return { kind: "unchanged" };
    if (response.status !== 200) throw refusal(response, url, this.#options.now());
    return this.#parse(response, url);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #get(url: URL, { etag, wait, isRef }: MapRequest, signal: AbortSignal): Promise<GetResponse> {
    const { headersOf, requestTimeoutMs, maxBytes } = this.#options;
    const own = await headersOf();
    const headers = { ...own, accept: "application/json", ...(etag === null ? {} : { "if-none-match": etag }) };
    let at = url;
    for (let redirects = 0; ; redirects++) {
      const response = await get(at, {
        agent: this.#agent,
        headers,
        responseTimeoutMs: (wait?.seconds ?? 0) * 1_000 + requestTimeoutMs,
        bodyTimeoutMs: requestTimeoutMs,
        maxBytes,
        isRef,
        // A long poll may outlive the server process that held it: its successor must not reuse that server's state.
        isRepeatable: wait === undefined,
        signal,
      });
      const { location } = response.headers;
      if (![301, 302, 303, 307, 308].includes(response.status) || location === undefined) return response;
      at = redirectTarget(at, location, redirects);
    }
  }

  #parse({ headers, body }: GetResponse, url: URL): Reply {
    const type = headers["content-type"] ?? "nothing";
    if (!/^application\/([\w.+-]+\+)?json\b/i.test(type))
      throw new MapError("malformed", `${url.origin} returned ${type} instead of JSON: is url the control plane?`);
    let value: unknown;
    try {
      value = JSON.parse(body.toString("utf8"));
    } catch (cause) {
      throw new MapError("malformed", `${url.origin} returned invalid JSON.`, { cause });
    }
    const map = readMap(value, this.#options.maxEnds);
    if (map.exposureId !== this.#options.exposureId)
      throw new MapError(
        "malformed",
        `${url.origin} returned the map of ${map.exposureId}, not of the requested exposure.`,
      );
    return { kind: "map", map, etag: headers.etag ?? null };
  }
}

function redirectTarget(from: URL, location: string, redirects: number): URL {
  let to: URL;
  try {
    to = new URL(location, from);
  } catch {
    throw new MapError("redirected", `${from.origin} redirected to an invalid URL.`);
  }
  if (to.origin !== from.origin)
    throw new MapError(
      "redirected",
      `${from.origin} redirected to ${to.origin}: if that is the control plane, set it as url.`,
    );
  if (redirects >= maxRedirects) throw new MapError("redirected", `${from.origin} redirected too many times.`);
  return to;
}

function refusal({ status, headers, body }: GetResponse, url: URL, now: number): MapError {
  const detail = detailOf(body);
  const message = `${url.origin} returned ${status}${detail ? `: ${detail}` : "."}`;
  const retryAfterMs = readRetryAfter(headers["retry-after"], now);
  const context = { status, retryAfterMs };
  if (status === 401 || status === 403) return new MapError("refused", message, context);
  if (status === 404 || status === 410) return new MapError("not-found", message, context);
  if (status === 429) return new MapError("rate-limited", message, context);
  return new MapError("unavailable", message, context);
}

/** The `detail` of a problem response (RFC 9457) describes the cause and the fix. */
function detailOf(body: Buffer): string | null {
  try {
    const { detail } = JSON.parse(body.toString("utf8")) as { detail?: unknown };
    return typeof detail === "string" ? detail.slice(0, 300) : null;
  } catch {
    return null;
  }
}
