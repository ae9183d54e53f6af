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
