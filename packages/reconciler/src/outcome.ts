/** Outcome is how a reconciliation ended that did not fail. Failing is throwing: TerminalError to rest, anything else to try again. */
export type Outcome =
  | { type: "done" }
  /** All went well so far, but there is more to see soon. */
  | { type: "again"; afterMs: number }
  /** There is nothing left to come back for. */
  | { type: "gone" };

export const done: Outcome = { type: "done" };
export const gone: Outcome = { type: "gone" };
export const againAfterMs = (afterMs: number): Outcome => ({ type: "again", afterMs });

/** untilMs is how long to wait for a moment: a little longer, so that one look then suffices. */
export const untilMs = (at: Date, now: Date): number => Math.max(0, at.getTime() - now.getTime()) + marginMs;
export const marginMs = 10;
