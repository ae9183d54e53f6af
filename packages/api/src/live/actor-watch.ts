import { type Authenticated, recheckSessions, type ServiceContext, type SessionNews } from "@fairlead/services";

export type ActorWatchOptions = {
  db: ServiceContext["db"];
  /** How often all actors are checked: how long a revoked key or a removed member keeps a stream. */
  everyMs?: number;
  onError?: (error: unknown) => void;
};

type Entry = Authenticated & { controller: AbortController; news: SessionNews };

/** Watched is an actor during a stream or a long request. */
export type Watched = {
  /** Aborts when the actor was changed or is no longer accepted. */
  signal: AbortSignal;
  readonly news: SessionNews;
  stop: () => void;
};

/**
 * ActorWatch checks the actors of all open streams of a process again and again, in one query for all: a stream can
 * outlive the session, key or role with which it was opened.
 */
export class ActorWatch {
  readonly #options: ActorWatchOptions;
  readonly #entries = new Set<Entry>();
  #timer: NodeJS.Timeout | undefined;
  #checking = false;
  #closed = false;

  constructor(options: ActorWatchOptions) {
    this.#options = options;
  }

  watch({ actor, organizationId }: Authenticated): Watched {
    const entry: Entry = { actor, organizationId, controller: new AbortController(), news: "none" };
    this.#entries.add(entry);
    this.#schedule();
    return {
      signal: entry.controller.signal,
      get news() {
        return entry.news;
      },
      stop: () => this.#stop(entry),
    };
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#entries.clear();
  }

  #stop(entry: Entry): void {
    this.#entries.delete(entry);
    if (this.#entries.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    if (this.#timer || this.#checking || this.#closed || this.#entries.size === 0) return;
    this.#timer = setTimeout(async () => {
      this.#timer = undefined;
      this.#checking = true;
      await this.#check();
      this.#checking = false;
      this.#schedule();
    }, this.#options.everyMs ?? 1_000);
  }

  async #check(): Promise<void> {
    const entries = [...this.#entries];
    try {
      const news = await recheckSessions(this.#options.db, entries, new Date());
      for (const [index, entry] of entries.entries()) {
        const found = news[index] ?? "none";
        if (found === "none" || !this.#entries.delete(entry)) continue;
        entry.news = found;
        entry.controller.abort();
      }
    } catch (error) {
      // While the database is unreachable nothing can be checked, and streams deliver nothing either.
      this.#options.onError?.(error);
    }
  }
}
