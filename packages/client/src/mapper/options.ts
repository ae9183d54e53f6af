import { MapError } from "../errors.ts";
import type { HeadersOf } from "../http/map-source.ts";
import type { NamesOf } from "../map/map-index.ts";
import type { NeedsMapping, Probe } from "./network-location.ts";

/** What map() returns for an unknown address: the address unchanged, null, or null while the map is read again. */
export type OnUnknown = "pass" | "reject" | "refresh";

export type AddressMapperOptions = {
  /** URL of the control plane, such as https://fairlead.example.com. */
  url: string;
  exposureId: string;
  /** An API key that may read the map. It is sent only to the control plane and is never part of an error. */
  apiKey?: string;
  /** Additional headers, for a proxy in front of the control plane; a function is called before each request. */
  headers?: Record<string, string> | HeadersOf;
  /** Certificates (PEM) of a private CA. */
  ca?: string;
  onUnknown?: OnUnknown;
  /** Whether internal addresses must be mapped. Default "always". */
  needsMapping?: NeedsMapping;
  /** With needsMapping "auto": a process with an address in one of these networks is inside. */
  internalNetworks?: readonly string[];
  /** With needsMapping "auto" and no networks: tests whether an internal address is reachable. */
  probe?: Probe;
  /** Additional names that servers announce for an instance, such as the DNS name of its pod. */
  namesOf?: NamesOf;
  /** File for the last good map, used at startup while the control plane is unreachable. */
  cacheFile?: string;
  /** How long the control plane may hold a long poll: 60 at most. */
  waitSeconds?: number;
  requestTimeoutMs?: number;
  startTimeoutMs?: number;
  /** A map that was not confirmed for this long is no longer used. Default: no limit. */
  maxAgeMs?: number;
  /** Limits for the size of a response and for the number of ports in it. */
  maxBytes?: number;
  maxEnds?: number;
  /** true: following the map does not keep the process alive. */
  unref?: boolean;
};

export type CheckedOptions = {
  url: URL;
  exposureId: string;
  headersOf: HeadersOf;
  ca: string | undefined;
  onUnknown: OnUnknown;
  needsMapping: NeedsMapping;
  internalNetworks: readonly string[] | undefined;
  probe: Probe | undefined;
  namesOf: NamesOf | undefined;
  cacheFile: string | undefined;
  waitSeconds: number;
  requestTimeoutMs: number;
  startTimeoutMs: number;
  maxAgeMs: number;
  maxBytes: number;
  maxEnds: number;
  unref: boolean;
};

/** checkOptions rejects invalid options by name, instead of failing later in the background. */
export function checkOptions(options: AddressMapperOptions): CheckedOptions {
  const { onUnknown = "pass", needsMapping = "always" } = options;
  if (!/^[\w-]{1,64}$/.test(options.exposureId ?? "")) throw invalid("exposureId", "expected an exposure ID, exp_…");
  if (!["pass", "reject", "refresh"].includes(onUnknown))
    throw invalid("onUnknown", "expected pass, reject or refresh");
  if (typeof needsMapping !== "function" && !["always", "never", "auto"].includes(needsMapping))
    throw invalid("needsMapping", "expected always, never, auto or a function");
  return {
    url: checkUrl(options.url),
    exposureId: options.exposureId,
    headersOf: headersOf(options),
    ca: options.ca,
    onUnknown,
    needsMapping,
    internalNetworks: options.internalNetworks,
    probe: options.probe,
    namesOf: options.namesOf,
    cacheFile: options.cacheFile,
    waitSeconds: whole("waitSeconds", options.waitSeconds ?? 30, 1, 60),
    requestTimeoutMs: within("requestTimeoutMs", options.requestTimeoutMs ?? 10_000, 1, 600_000),
    startTimeoutMs: within("startTimeoutMs", options.startTimeoutMs ?? 10_000, 0, 3_600_000),
    maxAgeMs: within("maxAgeMs", options.maxAgeMs ?? Number.POSITIVE_INFINITY, 1, Number.POSITIVE_INFINITY),
    maxBytes: within("maxBytes", options.maxBytes ?? 32 * 1_024 * 1_024, 1, 1_024 * 1_024 * 1_024),
    maxEnds: within("maxEnds", options.maxEnds ?? 100_000, 1, 10_000_000),
    unref: options.unref ?? false,
  };
}

function checkUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw invalid("url", "expected the URL of the control plane, https://…");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw invalid("url", "expected https:// or http://");
  if (url.username || url.password) throw invalid("url", "remove user and password, and use apiKey or headers");
  if (url.search || url.hash) throw invalid("url", "remove the query and the fragment");
  return url;
}

const token = /^[!-~]+$/;

function headersOf({ apiKey, headers = {} }: AddressMapperOptions): HeadersOf {
  if (apiKey !== undefined && !token.test(apiKey))
    throw invalid("apiKey", "it contains a space or a line break: was it read from a file with its newline?");
  const own: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  if (typeof headers !== "function") return () => ({ ...headers, ...own });
  return async () => ({ ...(await headers()), ...own });
}

function within(name: string, value: number, least: number, most: number): number {
  if (typeof value === "number" && value >= least && value <= most) return value;
  throw invalid(
    name,
    most === Number.POSITIVE_INFINITY ? `expected at least ${least}` : `expected ${least} to ${most}`,
  );
}

/** The control plane accepts whole seconds only. */
function whole(name: string, value: number, least: number, most: number): number {
  return Math.floor(within(name, value, least, most));
}

function invalid(name: string, expected: string): MapError {
  return new MapError("invalid-option", `${name}: ${expected}.`);
}
