import { asMapError, MapError } from "../errors.ts";
import type { MapSource, Reply } from "../http/map-source.ts";
import type { AddressMap } from "../map/address-map.ts";
import { diffMaps, isDifferent, type MapDifference } from "../map/diff-maps.ts";
import { MapIndex, type NamesOf } from "../map/map-index.ts";
import { type Held, judge } from "./judge.ts";
import { emptyCounts } from "./stats.ts";

/** A map that differs from the previous one. */
export type MapChange = MapDifference & {
  map: AddressMap;
  /** The control plane was restored from a backup and counts from an older generation. */
  isRestored: boolean;
};

export type KeeperEvents = {
  onChange: (change: MapChange) => void;
  /** The map was confirmed: save a copy. */
  onConfirmed: (held: Held, isNew: boolean) => void;
};

/** MapKeeper holds the newest accepted map and requests newer ones from the source. */
export class MapKeeper {
  readonly counts = emptyCounts();
  readonly #source: MapSource;
  readonly #events: KeeperEvents;
  readonly #namesOf: NamesOf | undefined;
  readonly #now: () => number;
  #held: Held | null = null;
  #index: MapIndex | null = null;
  #confirmedAt: number | null = null;
  #from: "server" | "disk" | null = null;
  #requestCount = 0;
  #doubtedAt: number | null = null;
  #whole: Promise<void> | null = null;
  #retryAfter: { at: number; error: MapError } | null = null;

  constructor(source: MapSource, events: KeeperEvents, namesOf: NamesOf | undefined, now: () => number) {
    this.#source = source;
    this.#events = events;
    this.#namesOf = namesOf;
    this.#now = now;
  }

  get map(): AddressMap | null {
    return this.#held?.map ?? null;
  }

  get index(): MapIndex | null {
    return this.#index;
  }

  get from(): "server" | "disk" | null {
    return this.#from;
  }

  get isInDoubt(): boolean {
    return this.#doubtedAt !== null;
  }

  get isReading(): boolean {
    return this.#whole !== null;
  }

  get ageMs(): number | null {
    return this.#confirmedAt === null ? null : Math.max(0, this.#now() - this.#confirmedAt);
  }

  /** restore starts with a map that was saved on disk. */
  restore(map: AddressMap, etag: string | null, confirmedAt: number): void {
    this.#from = "disk";
    this.#confirmedAt = confirmedAt;
    this.#hold({ map, etag, requestNumber: 0 }, false);
  }

  /** readWhole reads the current map; concurrent calls share one request. */
  readWhole(signal: AbortSignal, isRef: boolean): Promise<void> {
    this.#whole ??= this.#request(null, signal, isRef)
      .then(() => {})
      .finally(() => {
        this.#whole = null;
      });
    return this.#whole;
  }

  /** waitForNext returns whether a different map was received. */
  waitForNext(seconds: number, signal: AbortSignal, isRef: boolean): Promise<boolean> {
    return this.#request(seconds, signal, isRef);
  }

  async #request(waitSeconds: number | null, signal: AbortSignal, isRef: boolean): Promise<boolean> {
    if (this.#retryAfter && performance.now() < this.#retryAfter.at) throw this.#retryAfter.error;
    const requestNumber = ++this.#requestCount;
    const held = this.#held;
    // In doubt, request the body even if the ETag matches.
    const etag = this.isInDoubt ? null : (held?.etag ?? null);
    const wait = waitSeconds !== null && held ? { seconds: waitSeconds, after: held.map.generation } : null;
    let reply: Reply;
    try {
      reply = await this.#source.read({ etag, isRef, ...(wait ? { wait } : {}) }, signal);
    } catch (error) {
      const mapError = asMapError(error);
      if (mapError.kind !== "stopped") this.counts.refreshes.failed++;
      if (mapError.retryAfterMs !== undefined)
        this.#retryAfter = { at: performance.now() + mapError.retryAfterMs, error: mapError };
      throw mapError;
    }
    if (signal.aborted) throw new MapError("stopped", "The mapper was stopped.");
    this.#retryAfter = null;
    return this.#take(reply, requestNumber, wait === null);
  }

  #take(reply: Reply, requestNumber: number, isWhole: boolean): boolean {
    const held = this.#held;
    if (reply.kind === "unchanged") return this.#confirm(held);
    const received: Held = { map: reply.map, etag: reply.etag, requestNumber };
    const verdict = judge(held, received, isWhole, this.#doubtedAt);
    if (verdict === "doubt") {
      this.#doubtedAt ??= this.#requestCount;
      this.counts.refreshes.unchanged++;
      return false;
    }
    if (verdict === "keep") return this.#confirm(held);
    this.#doubtedAt = null;
    this.#from = "server";
    this.#confirmedAt = this.#now();
    if (verdict === "restored") this.counts.restores++;
    const isDifferent = this.#hold(received, verdict === "restored");
    this.counts.refreshes[isDifferent ? "changed" : "unchanged"]++;
    this.#events.onConfirmed(received, true);
    return isDifferent;
  }

  #confirm(held: Held | null): false {
    this.#doubtedAt = null;
    this.#from = "server";
    this.#confirmedAt = this.#now();
    this.counts.refreshes.unchanged++;
    if (held) this.#events.onConfirmed(held, false);
    return false;
  }

  #hold(next: Held, isRestored: boolean): boolean {
    const before = this.#held?.map ?? null;
    const difference = diffMaps(before, next.map);
    const isNew = before === null || isDifferent(difference);
    this.#held = next;
    if (isNew || !this.#index) this.#index = new MapIndex(next.map, this.#namesOf);
    if (!isNew && !isRestored) return false;
    if (before) this.counts.changes++;
    this.#events.onChange({ ...difference, map: next.map, isRestored });
    return true;
  }
}
