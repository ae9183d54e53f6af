import { MapError } from "../errors.ts";
import type { HeadersOf } from "../http/map-source.ts";
import type { NamesOf } from "../map/map-index.ts";
import type { NeedsMapping, Probe } from "./standpoint.ts";

/** What map() answers for an address that it can't map: itself, null, or null for now while the map is read anew. */
export type OnUnknown = "pass" | "reject" | "refresh";

export type AddressMapperOptions = {
  /** Where the control plane is, such as https://fairlead.example.com. */
  url: string;
  exposureId: string;
  /** An API key that may read the map. It is sent to the control plane alone, and never stands in an error. */
  apiKey?: string;
  /** Headers of your own, for a proxy in front; a function is asked before each request. */
  headers?: Record<string, string> | HeadersOf;
  /** The certificates (PEM) of an authority of your own. */
  ca?: string;
  onUnknown?: OnUnknown;
  /** Whether an internal address has to be mapped at all. "always" unless said otherwise. */
  needsMapping?: NeedsMapping;
  /** With needsMapping "auto": a process with an address in one of these networks is inside. */
  internalNetworks?: readonly string[];
  /** With needsMapping "auto" and no networks: how to find out whether an internal address answers. */
  probe?: Probe;
  /** Further names under which servers announce an instance, such as the DNS name of its pod. */
  namesOf?: NamesOf;
  /** A file for the last good map, for a start while the control plane is away. */
  cacheFile?: string;
  /** How long the control plane may hold a question while nothing changes: 60 at most. */
  waitSeconds?: number;
  requestTimeoutMs?: number;
  startTimeoutMs?: number;
  /** A map that was not confirmed for longer is used no more. Without it the last good one is used for ever. */
  maxAgeMs?: number;
  /** The longest answer that is taken, and the most ports in it. */
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
  mostBytes: number;
  mostEnds: number;
  unref: boolean;
};

/** checkOptions refuses what can't work, by name, rather than fail later in the background. */
export function checkOptions(options: AddressMapperOptions): CheckedOptions {
  const { onUnknown = "pass", needsMapping = "always" } = options;
  if (!/^[\w-]{1,64}$/.test(options.exposureId ?? "")) throw wrong("exposureId", "give the id of an exposure, exp_…");
  if (!["pass", "reject", "refresh"].includes(onUnknown)) throw wrong("onUnknown", "pass, reject or refresh");
  if (typeof needsMapping !== "function" && !["always", "never", "auto"].includes(needsMapping))
    throw wrong("needsMapping", "always, never, auto or a function");
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
    mostBytes: within("maxBytes", options.maxBytes ?? 32 * 1_024 * 1_024, 1, 1_024 * 1_024 * 1_024),
    mostEnds: within("maxEnds", options.maxEnds ?? 100_000, 1, 10_000_000),
    unref: options.unref ?? false,
  };
}

function checkUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw wrong("url", "give the address of the control plane, https://…");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw wrong("url", "it begins with https:// or http://");
  if (url.username || url.password) throw wrong("url", "leave user and password out, and give apiKey or headers");
  if (url.search || url.hash) throw wrong("url", "leave out what begins with ? or #");
  return url;
}

const token = /^[!-~]+$/;

function headersOf({ apiKey, headers = {} }: AddressMapperOptions): HeadersOf {
  if (apiKey !== undefined && !token.test(apiKey))
    throw wrong("apiKey", "it holds a space or a line break: was it read from a file with its newline?");
  const own: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  if (typeof headers !== "function") return () => ({ ...headers, ...own });
  return async () => ({ ...(await headers()), ...own });
}

function within(name: string, value: number, least: number, most: number): number {
  if (typeof value === "number" && value >= least && value <= most) return value;
  throw wrong(name, most === Number.POSITIVE_INFINITY ? `at least ${least}` : `from ${least} to ${most}`);
}

/** The control plane reads whole seconds. */
function whole(name: string, value: number, least: number, most: number): number {
  return Math.floor(within(name, value, least, most));
}

function wrong(name: string, cure: string): MapError {
  return new MapError("invalid-option", `${name}: ${cure}.`);
}
