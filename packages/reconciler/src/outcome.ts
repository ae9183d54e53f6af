/**
 * Outcome is the result of a reconciliation that did not fail. To fail is to throw: TerminalError to rest, anything
 * else to retry.
 */
export type Outcome =
  | { type: "done" }
  /** All went well so far, but there is more to check soon. */
  | { type: "again"; afterMs: number }
  /** The object is gone; there is nothing to come back for. */
  | { type: "gone" };

export const done: Outcome = { type: "done" };
export const gone: Outcome = { type: "gone" };
export const againAfterMs = (afterMs: number): Outcome => ({ type: "again", afterMs });

/** untilMs is how long to wait for a moment, plus a margin, so that one check is enough. */
export const untilMs = (at: Date, now: Date): number => Math.max(0, at.getTime() - now.getTime()) + marginMs;
export const marginMs = 10;
