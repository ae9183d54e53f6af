import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Pace, PageLimit, readLines } from "@fairlead/http";
import type { KubernetesReads } from "../api/connect.ts";
import { KubernetesError } from "../api/error.ts";
import type { KubernetesObject } from "./objects.ts";

/** KeptObject has the field that distinguishes an object from another with the same name. */
export type KeptObject = { uid: string };

/** Kind is a kind of object to follow, optionally limited by a selector. */
export type Kind<Kept extends KeptObject> = {
  /** Path of the list over all namespaces, such as /api/v1/pods. */
  path: string;
  labelSelector?: string;
  fieldSelector?: string;
  /** keep extracts the fields that are read later: a cluster has many large objects. */
  keep: (object: KubernetesObject) => Kept;
};

export type Followed<Kept extends KeptObject = KeptObject> = {
  /** By namespace/name. The last known state, also while the apiserver is unreachable. */
  items: ReadonlyMap<string, Kept>;
  /** Whether the first list is complete: objects that are not in items don't exist. */
  isWhole: () => boolean;
  /** Time of the last data from the server; null before the first. */
  receivedAt: () => Date | null;
  /** absorb stores the response of a write, so that the writer sees it before the watch reports it. */
  absorb: (object: KubernetesObject) => void;
  /** remove drops an object that a write has deleted. */
  remove: (object: { namespace: string; name: string; uid: string }) => void;
  stop: () => Promise<void>;
};

export type FollowOptions<Kept> = {
  /** Called once per changed object; before is null for a new one, after for a deleted one. */
  onChange: (before: Kept | null, after: Kept | null) => void;
  /** Called after each complete list: at first, and whenever changes may have been missed. */
  onWhole?: () => void;
  /** Called with each failure, and with null once the server responds again. */
  onTrouble?: (error: unknown | null) => void;
  now?: () => Date;
  random?: () => number;
  times?: Partial<typeof usualTimes>;
};

const usualTimes = {
  /** Bookmarks arrive every minute: a quieter connection is dead. */
  silentMs: 90_000,
  /** Interval of full lists, for changes that a watch may have lost silently. */
  resyncMs: 10 * 60_000,
  firstRetryMs: 500,
  lastRetryMs: 30_000,
  watchSeconds: 300,
  /** Minimum time from the start of one watch to the next: a server or proxy may end each one at once. */
  reopenMs: 1_000,
};

const pageSize = 500;
/** A million objects: no apiserver returns a longer list. */
const maxPages = 2_000;
/** The largest object that etcd stores by default is 1.5 MB. */
const maxLineBytes = 16 * 1024 * 1024;

/**
 * follow keeps a copy of all objects of a kind: it lists them, and then watches from there. An ended watch continues from the same
 * version; if the server has compacted it, or the last full list is too old, everything is listed again.
 */
export function follow<Kept extends KeptObject>(
  reads: KubernetesReads,
  kind: Kind<Kept>,
  options: FollowOptions<Kept>,
): Followed<Kept> {
  const { onChange, onWhole, onTrouble, now = () => new Date(), random = Math.random } = options;
  const times = { ...usualTimes, ...options.times };
  const items = new Map<string, Kept>();
  const versions = new Map<string, string>();
  const stopping = new AbortController();
  const watches = new Pace(times.reopenMs);
  let place = "";
  /** The version of the last whole list. */
  let newest = 0n;
  let listedAt = Number.NEGATIVE_INFINITY;
  let isWhole = false;
  let receivedAt: Date | null = null;
  let isTroubled = false;
  /** Since the last event, or the last regular end of a watch: a server that only starts responses is retried rarely. */
  let failures = 0;

  function clearTrouble(): void {
    if (isTroubled) onTrouble?.(null);
    isTroubled = false;
  }

  function put(object: KubernetesObject): void {
    const key = keyOf(object);
    const { resourceVersion } = object.metadata;
    if (!isNewer(resourceVersion, versions.get(key))) return;
    const before = items.get(key) ?? null;
    const after = kind.keep(object);
    items.set(key, after);
    versions.set(key, resourceVersion);
    // Most changes of an object affect fields that aren't kept.
    if (!isDeepStrictEqual(before, after)) onChange(before, after);
  }

  /** What the watch has passed, it has reported: the object may be gone by now, and nothing would report that again. */
  function absorb(object: KubernetesObject): void {
    if (isNewer(object.metadata.resourceVersion, place || undefined)) put(object);
  }

  function drop(key: string): void {
    const before = items.get(key);
    if (before === undefined) return;
    items.delete(key);
    versions.delete(key);
    onChange(before, null);
  }

  /** All pages of a list have the same version, so missing objects were deleted. */
  async function list(signal: AbortSignal): Promise<void> {
    const there = new Set<string>();
    const pages = new PageLimit(maxPages, `the list of ${kind.path}`);
    let from: string | undefined;
    let version = "";
    do {
      const { labelSelector, fieldSelector } = kind;
      const query = { limit: pageSize, labelSelector, fieldSelector, continue: from };
      const page = await reads.list<Partial<List>>(kind.path, { query, signal });
      // The server is not an apiserver.
      if (typeof page.metadata?.resourceVersion !== "string") throw new SyntaxError("a list without a version");
      receivedAt = now();
      // A cluster that was restored from a backup counts from lower versions: what is kept of later ones is void.
      if (from === undefined && BigInt(page.metadata.resourceVersion) < newest) versions.clear();
      for (const object of page.items ?? []) {
        there.add(keyOf(object));
        put(object);
      }
      version = page.metadata.resourceVersion;
      from = page.metadata.continue || undefined;
      if (from) pages.next(from);
    } while (from);
    for (const key of [...items.keys()]) if (!there.has(key)) drop(key);
    place = version;
    newest = BigInt(version);
    listedAt = performance.now();
    isWhole = true;
    clearTrouble();
    onWhole?.();
  }

  function take({ type, object }: WatchEvent): void {
    if (type === "ERROR") throw new KubernetesError(refusalIn(object));
    if (type === "DELETED") drop(keyOf(object));
    else if (type !== "BOOKMARK") put(object);
    place = object.metadata.resourceVersion;
  }

  async function watch(signal: AbortSignal): Promise<void> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new Error("the watch received no data for too long")), times.silentMs);
    const both = AbortSignal.any([signal, silence.signal]);
    try {
      const body = await reads.stream(kind.path, {
        signal: both,
        query: {
          watch: true,
          allowWatchBookmarks: true,
          resourceVersion: place,
          labelSelector: kind.labelSelector,
          fieldSelector: kind.fieldSelector,
          // Random, so that the watches of a cluster don't reconnect at the same time.
          timeoutSeconds: Math.round(times.watchSeconds * (0.75 + 0.5 * random())),
        },
      });
      receivedAt = now();
      clearTrouble();
      for await (const line of readLines(body, maxLineBytes)) {
        timer.refresh();
        receivedAt = now();
        take(parseEvent(line));
        failures = 0;
        if (isDue()) return;
      }
      both.throwIfAborted();
      failures = 0;
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  const isDue = () => performance.now() - listedAt > times.resyncMs;

  async function run(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      try {
        if (place === "" || isDue()) await list(signal);
        await watches.next(signal);
        await watch(signal);
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        if (isCompacted(error)) place = "";
        else {
          isTroubled = true;
          onTrouble?.(error);
        }
        await sleep(retryMs(error, failures), undefined, { signal }).catch(() => {});
      }
    }
  }

  function retryMs(error: unknown, tries: number): number {
    if (error instanceof KubernetesError && error.retryAfterMs !== null) return error.retryAfterMs;
    const most = Math.min(times.lastRetryMs, times.firstRetryMs * 2 ** (tries - 1));
    return most * (0.5 + 0.5 * random());
  }

  const running = run();
  return {
    items,
    isWhole: () => isWhole,
    receivedAt: () => receivedAt,
    absorb,
    remove({ namespace, name, uid }) {
      const key = `${namespace}/${name}`;
      const there = items.get(key);
      if (there?.uid === uid) drop(key);
    },
    async stop() {
      stopping.abort(new Error("no longer followed"));
      await running;
    },
  };
}

type List = { metadata: { resourceVersion: string; continue?: string }; items: KubernetesObject[] | null };
type WatchEvent = { type: string; object: KubernetesObject };

function keyOf({ metadata: { namespace = "", name } }: KubernetesObject): string {
  return `${namespace}/${name}`;
}

/** Versions of one kind are increasing numbers; a write's response may arrive before the watch event. */
function isNewer(version: string, before: string | undefined): boolean {
  return before === undefined || BigInt(version) > BigInt(before);
}

/** The version is too old: 410 in a page of a list, or in a watch. */
function isCompacted(error: unknown): boolean {
  return error instanceof KubernetesError && error.status === 410;
}

function parseEvent(line: string): WatchEvent {
  // The apiserver's schema.
  return JSON.parse(line) as WatchEvent;
}

/** A failed watch sends a Status instead of an object. */
function refusalIn(object: object) {
  const {
    code = 500,
    reason = "Unknown",
    message = "the watch failed",
  } = object as {
    code?: number;
    reason?: string;
    message?: string;
  };
  return { status: code, reason, message, retryAfterMs: null };
}
