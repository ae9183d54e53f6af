import { DomainError } from "@fairlead/domain";
import { type FeedRead, type FeedRow, readFeed, type ServiceContext } from "@fairlead/services";
import { type Change, Subscriber } from "./subscriber.ts";

export type FeedHubOptions = {
  db: ServiceContext["db"];
  /** How often to poll without a notification. A lost notification costs this much delay and nothing else. */
  pollMs?: number;
  onError?: (error: unknown) => void;
  /** Called for each entry fanned out, with how long it took to get here. */
  onLag?: (lagMs: number) => void;
  /** The limits on concurrent streams, in total and per user or key. */
  mostStreams?: number;
  mostOfActor?: number;
};

const readLimit = 10_000;
// While more is unsettled than one read may hold, every read ends in a reset for all streams; so poll rarely.
const cutPauseMs = 5_000;
const mostStreams = 2_000;
// One stream per browser tab, or one key in every pod of a deployment.
const mostOfActor = 50;
const retryAfterSeconds = 30;

/** FeedHub reads the feed once for all the streams of a process and passes each its organisation's entries. */
export class FeedHub {
  readonly #options: FeedHubOptions;
  readonly #subscribers = new Set<Subscriber>();
  #seen = new Set<bigint>();
  #settledBefore: bigint | undefined;
  #reading: Promise<void> | undefined;
  #isHinted = false;
  #pausedUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: FeedHubOptions) {
    this.#options = options;
  }

  get streamCount(): number {
    return this.#subscribers.size;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /**
   * checkRoom refuses a stream over the limit: each holds a connection and a buffer for as long as its client likes.
   */
  checkRoom(actorId: string): void {
    const most = this.#options.mostOfActor ?? mostOfActor;
    let own = 0;
    for (const subscriber of this.#subscribers) if (subscriber.actorId === actorId) own++;
    if (own >= most)
      throw new DomainError(
        "rate-limited",
        `You have ${own} live streams open, and may have ${most} at once. Close some, or try again in ${retryAfterSeconds} s.`,
        { retryAfterSeconds },
      );
    if (this.#subscribers.size >= (this.#options.mostStreams ?? mostStreams))
      throw new DomainError(
        "unavailable",
        `This server has as many live streams as it can hold. Try again in ${retryAfterSeconds} s.`,
        { retryAfterSeconds },
      );
  }

  /**
   * subscribe starts to collect changes from now on. Call it before reading what was missed, so that no change falls
   * between.
   */
  async subscribe(organizationId: string, actorId: string): Promise<{ subscriber: Subscriber; settledBefore: bigint }> {
    const subscriber = new Subscriber(organizationId, actorId);
    if (this.#closed) {
      subscriber.close();
      return { subscriber, settledBefore: 0n };
    }
    this.checkRoom(actorId);
    this.#subscribers.add(subscriber);
    try {
      if (this.#settledBefore === undefined) await this.#start();
    } catch (error) {
      this.unsubscribe(subscriber);
      throw error;
    }
    this.#schedule();
    return { subscriber, settledBefore: this.#settledBefore ?? 0n };
  }

  unsubscribe(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size > 0) return;
    // No subscribers: stop polling, and start over with the next stream.
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#settledBefore = undefined;
    this.#seen.clear();
  }

  /** hint reports that there may be changes. Hints that arrive during a read cause one more read. */
  hint(): void {
    this.#isHinted = true;
    if (this.#subscribers.size > 0 && !this.#reading) void this.#look();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const subscriber of this.#subscribers) subscriber.close();
    this.#subscribers.clear();
  }

  async #start(): Promise<void> {
    // No transaction has an id this high, so the read returns only the horizon.
    const { settledBefore } = await readFeed(this.#options.db, { since: 2n ** 62n, limit: 1 });
    this.#settledBefore ??= settledBefore;
  }

  #schedule(): void {
    if (this.#timer || this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#look().finally(() => {
        if (this.#subscribers.size > 0) this.#schedule();
      });
    }, this.#options.pollMs ?? 1_000);
  }

  async #look(): Promise<void> {
    if (this.#reading) return this.#reading;
    this.#reading = this.#readWhileHinted().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readWhileHinted(): Promise<void> {
    do {
      this.#isHinted = false;
      if (Date.now() < this.#pausedUntil) return;
      try {
        await this.#readOnce();
      } catch (error) {
        this.#options.onError?.(error); // the next read starts from the same place
        return;
      }
    } while (this.#isHinted && this.#subscribers.size > 0);
  }

  async #readOnce(): Promise<void> {
    const since = this.#settledBefore;
    if (since === undefined) return;
    const read = await readFeed(this.#options.db, { since, limit: readLimit });
    if (this.#settledBefore !== since) return; // all subscribers left and a new one arrived during the read
    if (read.isCut) this.#resetAll();
    else this.#fanOut(read);
    // Sweeping may remove the newest entry; the settled position must not go back.
    if (read.settledBefore > since) this.#settledBefore = read.settledBefore;
  }

  #resetAll(): void {
    this.#seen.clear();
    this.#pausedUntil = Date.now() + cutPauseMs;
    for (const subscriber of this.#subscribers) subscriber.overflow();
  }

  #fanOut({ rows, settledBefore }: FeedRead): void {
    const fresh = rows.filter((row) => !this.#seen.has(row.id));
    this.#seen = new Set(rows.filter((row) => row.transaction >= settledBefore).map((row) => row.id));
    if (fresh.length === 0) return;
    for (const row of fresh) this.#options.onLag?.(Date.now() - row.at.getTime());
    const byOrganization = Map.groupBy(fresh, (row) => row.organizationId);
    for (const subscriber of this.#subscribers) {
      const own = byOrganization.get(subscriber.organizationId);
      if (own) subscriber.push({ entries: distinct(own), settledBefore });
    }
  }
}

/**
 * distinct keeps the first pointer to each object: a client that reads the object again gets all its changes at once.
 */
export function distinct(rows: FeedRow[]): Change[] {
  const byObject = new Map<string, Change>();
  for (const { subjectKind, subjectId, clusterId, transaction } of rows) {
    const key = `${subjectKind} ${subjectId}`;
    if (!byObject.has(key)) byObject.set(key, { subjectKind, subjectId, clusterId, transaction });
  }
  return [...byObject.values()];
}
