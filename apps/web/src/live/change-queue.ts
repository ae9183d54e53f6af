import type { FeedEntry } from "@fairlead/domain";

export type ChangeQueue = {
  push: (entry: FeedEntry) => void;
  /** Everything may have changed: the stream lost its place. */
  pushReset: () => void;
  pause: () => void;
  resume: () => void;
  close: () => void;
};

/** When a reader could not follow, a number says less than "everything". */
const mostRemembered = 2_000;

const gatherMs = 30;
const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * makeChangeQueue gathers changes and applies them in batches: the first a moment later (several
 * arrive together), the next no sooner than gapMs after the last that was fetched for, so that a busy fleet can't
 * starve the screen. What happens elsewhere costs no gap, or it would hold up what happens here.
 */
export function makeChangeQueue(options: {
  /** Fetches what a batch may have changed, and answers whether anything on screen was. */
  apply: (batch: readonly FeedEntry[] | "everything") => Promise<boolean>;
  /** How many objects changed and are not shown yet; Infinity when nobody counts any more. */
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
    const fetched = await options.apply(batch).catch(() => true); // a failed fetch shows in its own place
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
      if (pending.size > mostRemembered) {
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
