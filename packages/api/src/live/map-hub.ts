import { DomainError } from "@fairlead/domain";
import type { AddressMap } from "@fairlead/domain/address-map";
import { type MapHead, type ServiceContext, selectMap, selectMapHeads } from "@fairlead/services";

export type MapHubOptions = {
  db: ServiceContext["db"];
  /** How often to poll without a notification. A lost notification costs this much delay and nothing else. */
  pollMs?: number;
  onError?: (error: unknown) => void;
  /** The limits on concurrent waiters, in total and per organisation. */
  mostWaiters?: number;
  mostOfOrganization?: number;
};

const mostWaiters = 5_000;
const mostOfOrganization = 2_000;
const mostMaps = 256;
const retryAfterSeconds = 10;

/** The result of a wait: another head, null when the exposure is deleted, or neither. */
type News = { head: MapHead | null } | "nothing" | "closed";
type Waiter = { than: MapHead; wake: (news: News) => void };
/** A map, and the head that it was read with. */
export type ReadMap = { head: MapHead; map: AddressMap };
type KeptMap = { state: string; read: Promise<ReadMap | null> };

/**
 * MapHub is shared by all clients of address maps in a process: each generation of a map is read once, and one
 * database query serves all waiters.
 */
export class MapHub {
  readonly #options: MapHubOptions;
  readonly #waiters = new Map<string, Set<Waiter>>();
  readonly #maps = new Map<string, KeptMap>();
  #count = 0;
  #due = new Set<string>();
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: MapHubOptions) {
    this.#options = options;
  }

  get waiterCount(): number {
    return this.#count;
  }

  /** read returns the map of a head, or a newer one; null when its exposure is deleted. */
  async read(head: MapHead): Promise<ReadMap | null> {
    const state = stateOf(head);
    let kept = this.#maps.get(head.id);
    this.#maps.delete(head.id); // inserted last again: the least recently used map is evicted first
    if (kept?.state !== state) kept = { state, read: this.#load(head.id, state) };
    this.#maps.set(head.id, kept);
    for (const id of this.#maps.keys()) {
      if (this.#maps.size <= mostMaps) break;
      this.#maps.delete(id);
    }
    const read = await kept.read;
    if (!read || stateOf(read.head) !== state) return read;
    return { head, map: { ...read.map, observedAt: head.observedAt } };
  }

  /**
   * wait returns a head other than this one, the same one when nothing changed in time, or null when its exposure is
   * deleted.
   */
  async wait(head: MapHead, withinMs: number, signal: AbortSignal): Promise<MapHead | null> {
    this.#checkRoom(head.organizationId);
    const news = await this.#sleep(head, withinMs, signal);
    if (news === "closed") throw new DomainError("unavailable", "The server is restarting.", { retryAfterSeconds: 1 });
    return news === "nothing" ? head : news.head;
  }

  /** hint reports that a map may have changed; without an id, that any may have. */
  hint(exposureId?: string): void {
    for (const id of exposureId === undefined ? this.#waiters.keys() : [exposureId])
      if (this.#waiters.has(id)) this.#due.add(id);
    if (this.#due.size > 0) void this.#look();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const waiters of this.#waiters.values()) for (const each of waiters) each.wake("closed");
  }

  #checkRoom(organizationId: string): void {
    if (this.#closed) throw new DomainError("unavailable", "The server is restarting.", { retryAfterSeconds: 1 });
    let own = 0;
    for (const waiters of this.#waiters.values()) {
      const [first] = waiters;
      if (first?.than.organizationId === organizationId) own += waiters.size;
    }
    if (own >= (this.#options.mostOfOrganization ?? mostOfOrganization))
      throw new DomainError(
        "rate-limited",
        `${own} clients of your organisation wait for address maps here, which is the limit. Read without wait, or retry in ${retryAfterSeconds} s.`,
        { retryAfterSeconds },
      );
    if (this.#count >= (this.#options.mostWaiters ?? mostWaiters))
      throw new DomainError(
        "unavailable",
        `This server has as many waiting clients as it can hold. Read without wait, or retry in ${retryAfterSeconds} s.`,
        { retryAfterSeconds },
      );
  }

  #sleep(than: MapHead, withinMs: number, signal: AbortSignal): Promise<News> {
    if (signal.aborted) return Promise.resolve("nothing");
    return new Promise((resolve) => {
      const waiter: Waiter = {
        than,
        wake: (news) => {
          clearTimeout(timer);
          signal.removeEventListener("abort", leave);
          this.#leave(than.id, waiter);
          resolve(news);
        },
      };
      const leave = () => waiter.wake("nothing");
      const timer = setTimeout(leave, withinMs);
      signal.addEventListener("abort", leave, { once: true });
      const others = this.#waiters.get(than.id);
      if (others) others.add(waiter);
      else this.#waiters.set(than.id, new Set([waiter]));
      this.#count += 1;
      // Hints about changes since the head was read came before this waiter listened.
      this.#due.add(than.id);
      void this.#look();
      this.#schedule();
    });
  }

  #leave(id: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(id);
    if (!waiters?.delete(waiter)) return;
    this.#count -= 1;
    if (waiters.size > 0) return;
    this.#waiters.delete(id);
    this.#due.delete(id);
    if (this.#waiters.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    if (this.#timer || this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.hint();
      if (this.#waiters.size > 0) this.#schedule();
    }, this.#options.pollMs ?? 1_000);
  }

  #look(): Promise<void> {
    // Waiters that arrive in the same turn share one query: it starts once this turn is over.
    this.#looking ??= Promise.resolve()
      .then(() => this.#lookWhileDue())
      .finally(() => {
        this.#looking = undefined;
        if (this.#due.size > 0) void this.#look();
      });
    return this.#looking;
  }

  async #lookWhileDue(): Promise<void> {
    while (this.#due.size > 0) {
      const ids = [...this.#due];
      this.#due = new Set();
      try {
        const heads = new Map((await selectMapHeads(this.#options.db, ids)).map((head) => [head.id, head]));
        for (const id of ids) this.#deliver(id, heads.get(id) ?? null);
      } catch (error) {
        this.#options.onError?.(error); // the timer tries again
        return;
      }
    }
  }

  #deliver(id: string, head: MapHead | null): void {
    for (const waiter of [...(this.#waiters.get(id) ?? [])])
      if (!head || isNews(waiter.than, head)) waiter.wake({ head });
  }

  async #load(id: string, state: string): Promise<ReadMap | null> {
    try {
      const read = await selectMap(this.#options.db, id);
      // The map read may be newer than the one requested; it must not be cached as the older.
      if (!read || stateOf(read.head) !== state) this.#forget(id, state);
      return read;
    } catch (error) {
      this.#forget(id, state);
      throw error;
    }
  }

  #forget(id: string, state: string): void {
    if (this.#maps.get(id)?.state === state) this.#maps.delete(id);
  }
}

/** A change of who may read the map also counts: a waiter that lost access must be woken. */
function isNews(than: MapHead, head: MapHead): boolean {
  return stateOf(than) !== stateOf(head) || JSON.stringify(than.access) !== JSON.stringify(head.access);
}

/** stateOf identifies the content of a map. */
export function stateOf({ generation, changedAt, specGeneration }: MapHead): string {
  return `${generation}.${changedAt?.getTime().toString(36) ?? "0"}-${specGeneration}`;
}
