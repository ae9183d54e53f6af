import type { FeedEntry } from "@fairlead/domain/event";

export type ChangeQueue = {
  push: (entry: FeedEntry) => void;
  /** Everything may have changed, because the stream lost its position. */
  pushReset: () => void;
  pause: () => void;
  resume: () => void;
  close: () => void;
};

/** Above this number, "everything" is used instead. */
const maxRemembered = 2_000;

const gatherMs = 30;
const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * createChangeQueue collects changes and applies them in batches: the first after a short delay (several arrive
 * together), the next no sooner than gapMs after the last batch that caused a fetch, so that a busy fleet can't
 * overload the page. Changes that are not on screen cause no gap, or they would delay visible ones.
 */
export function createChangeQueue(options: {
  /** Fetches the affected queries of a batch, and returns whether any of them is on screen. */
  apply: (batch: readonly FeedEntry[] | "everything") => Promise<boolean>;
  /** How many objects have changed since the pause; Infinity once counting has stopped. */
  onWaiting: (count: number) => void;
  gapMs: number;
}): ChangeQueue {
  const pending = new Map<string, FeedEntry>();
  let everything = false;
  let paused = false;
  let running = false;
  let closed = false;

  const hasWork = () => everything || pending.size > 0;

  async function run(): Promise<void> {
    if (running || paused || closed || !hasWork()) return;
    running = true;
    await pass(gatherMs);
    if (paused || closed) {
      running = false;
      return;
    }
    const batch = everything ? ("everything" as const) : [...pending.values()];
    pending.clear();
    everything = false;
    options.onWaiting(0);
    const fetched = await options.apply(batch).catch(() => true); // a failed fetch is shown by its component
    if (fetched) await pass(options.gapMs);
    running = false;
    void run();
  }

  function changed(): void {
    if (paused) options.onWaiting(everything ? Number.POSITIVE_INFINITY : pending.size);
    void run();
  }

  return {
    push(entry) {
      pending.set(`${entry.subjectKind} ${entry.subjectId}`, entry);
      if (pending.size > maxRemembered) {
        everything = true;
        pending.clear();
      }
      changed();
    },
    pushReset() {
      everything = true;
      changed();
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      void run();
    },
    close() {
      closed = true;
    },
  };
}
