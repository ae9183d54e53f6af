import type { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import type { KubernetesApi } from "./api.ts";
import { KubernetesError } from "./error.ts";
import type { KubernetesObject } from "./objects.ts";

/** KeptObject is what of any object is needed to tell it from its namesake. */
export type KeptObject = { uid: string };

/** Kind is one sort of object, all of whose are followed, or those that a selector picks. */
export type Kind<Kept extends KeptObject> = {
  /** Of the list over all namespaces, such as /api/v1/pods. */
  path: string;
  labelSelector?: string;
  fieldSelector?: string;
  /** keep takes of an object what is read later: a cluster has many, and each is large. */
  keep: (object: KubernetesObject) => Kept;
};

export type Followed<Kept extends KeptObject = KeptObject> = {
  /** By namespace/name. What was last known, also while the apiserver is away. */
  items: ReadonlyMap<string, Kept>;
  /** The first list is in: what is not among items is not there. */
  isWhole: () => boolean;
  /** When the server last said anything; null before it ever did. */
  heardAt: () => Date | null;
  /** absorb takes an object as a write of ours was answered: whoever wrote sees it at once, not when the watch says so. */
  absorb: (object: KubernetesObject) => void;
  /** forget takes an object away that a write of ours has removed. */
  forget: (object: { namespace: string; name: string; uid: string }) => void;
  stop: () => Promise<void>;
};

export type FollowOptions<Kept> = {
  /** Told once per object that is another than before; before is null for a new one, after for one that went. */
  onChange: (before: Kept | null, after: Kept | null) => void;
  /** Told whenever the items are as a list had them: at first, and after each time that some may have been missed. */
  onWhole?: () => void;
  /** Told of each failure, and null once the server is heard again. */
  onTrouble?: (error: unknown | null) => void;
  now?: () => Date;
  random?: () => number;
  times?: Partial<typeof usualTimes>;
};

const usualTimes = {
  /** Bookmarks come every minute: a connection that says less is dead, though nobody closed it. */
  silentMs: 90_000,
  /** All is listed again, for what a watch may have lost without a word. */
  resyncMs: 10 * 60_000,
  firstRetryMs: 500,
  lastRetryMs: 30_000,
  watchSeconds: 300,
};

const pageSize = 500;

/**
 * follow keeps a copy of all objects of a kind: it lists them, and then watches from there. A watch that ends goes on where
 * it was; where the server has forgotten that place, or for long nothing was compared, everything is listed anew.
 */
export function follow<Kept extends KeptObject>(
  api: KubernetesApi,
  kind: Kind<Kept>,
  options: FollowOptions<Kept>,
): Followed<Kept> {
  const { onChange, onWhole, onTrouble, now = () => new Date(), random = Math.random } = options;
  const times = { ...usualTimes, ...options.times };
  const items = new Map<string, Kept>();
  const versions = new Map<string, string>();
  const stopping = new AbortController();
  let place = "";
  let listedAt = Number.NEGATIVE_INFINITY;
  let isWhole = false;
  let heardAt: Date | null = null;
  let failures = 0;

  function heard(): void {
    heardAt = now();
    if (failures > 0) onTrouble?.(null);
    failures = 0;
  }

  function put(object: KubernetesObject): void {
    const key = keyOf(object);
    const { resourceVersion } = object.metadata;
    if (!isNewer(resourceVersion, versions.get(key))) return;
    const before = items.get(key) ?? null;
    const after = kind.keep(object);
    items.set(key, after);
    versions.set(key, resourceVersion);
    // Much of what changes in an object is kept by nobody.
    if (!isDeepStrictEqual(before, after)) onChange(before, after);
  }

  function drop(key: string): void {
    const before = items.get(key);
    if (before === undefined) return;
    items.delete(key);
    versions.delete(key);
    onChange(before, null);
  }

  /** The pages of a list are of one moment, so what none of them has is gone. */
  async function list(signal: AbortSignal): Promise<void> {
    const there = new Set<string>();
    let from: string | undefined;
    let version = "";
    do {
      const { labelSelector, fieldSelector } = kind;
      const query = { limit: pageSize, labelSelector, fieldSelector, continue: from };
      const page = await api.get<Partial<List>>(kind.path, { query, signal });
      // Something answers there that is no apiserver.
      if (typeof page.metadata?.resourceVersion !== "string") throw new SyntaxError("a list without a version");
      heard();
      for (const object of page.items ?? []) {
        there.add(keyOf(object));
        put(object);
      }
      version = page.metadata.resourceVersion;
      from = page.metadata.continue || undefined;
    } while (from);
    for (const key of [...items.keys()]) if (!there.has(key)) drop(key);
    place = version;
    listedAt = performance.now();
    isWhole = true;
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
    const timer = setTimeout(() => silence.abort(new Error("the watch fell silent")), times.silentMs);
    const both = AbortSignal.any([signal, silence.signal]);
    try {
      const body = await api.stream(kind.path, {
        signal: both,
        query: {
          watch: true,
          allowWatchBookmarks: true,
          resourceVersion: place,
          labelSelector: kind.labelSelector,
          fieldSelector: kind.fieldSelector,
          // Spread, so that the watches of a cluster don't come back together for ever.
          timeoutSeconds: Math.round(times.watchSeconds * (0.75 + 0.5 * random())),
        },
      });
      heard();
      for await (const line of linesOf(body)) {
        timer.refresh();
        heard();
        take(parseEvent(line));
        if (isDue()) return;
      }
      both.throwIfAborted();
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
        await watch(signal);
      } catch (error) {
        if (signal.aborted) return;
        // It has forgotten how things were then: 410 in a list that goes on, or in a watch.
        if (error instanceof KubernetesError && error.status === 410) place = "";
        failures += 1;
        if (!isForgotten(error)) onTrouble?.(error);
        await pause(retryMs(error, failures), signal);
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
    heardAt: () => heardAt,
    absorb: put,
    forget({ namespace, name, uid }) {
      const key = `${namespace}/${name}`;
      const there = items.get(key);
      if (there?.uid === uid) drop(key);
    },
    async stop() {
      stopping.abort(new Error("not followed any more"));
      await running;
    },
  };
}

type List = { metadata: { resourceVersion: string; continue?: string }; items: KubernetesObject[] | null };
type WatchEvent = { type: string; object: KubernetesObject };

function keyOf({ metadata: { namespace = "", name } }: KubernetesObject): string {
  return `${namespace}/${name}`;
}

/** Versions of one kind are numbers that rise; a write's answer may come before what the watch has to say of it. */
function isNewer(version: string, before: string | undefined): boolean {
  return before === undefined || BigInt(version) > BigInt(before);
}

function isForgotten(error: unknown): boolean {
  return error instanceof KubernetesError && error.status === 410;
}

/** A line ends where its break has come; what stands behind the last one was cut off. */
async function* linesOf(body: Readable): AsyncGenerator<string> {
  // Once nobody reads it any more, its end is no news.
  body.on("error", () => {});
  let begun = "";
  for await (const chunk of body.setEncoding("utf8") as AsyncIterable<string>) {
    const lines = `${begun}${chunk}`.split("\n");
    begun = lines.pop() ?? "";
    yield* lines;
  }
}

function parseEvent(line: string): WatchEvent {
  // By the apiserver's own schema.
  return JSON.parse(line) as WatchEvent;
}

/** What comes in place of an object when a watch fails is a Status. */
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

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
