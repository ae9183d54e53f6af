/** The time filters of a list of events. */
export const sinceWords = ["1h", "1d", "7d", "30d"] as const;
export type Since = (typeof sinceWords)[number];

const hourMs = 3_600_000;
export const sinceLooks: Record<Since, { label: string; ms: number }> = {
  "1h": { label: "Last hour", ms: hourMs },
  "1d": { label: "Last day", ms: 24 * hourMs },
  "7d": { label: "Last 7 days", ms: 7 * 24 * hourMs },
  "30d": { label: "Last 30 days", ms: 30 * 24 * hourMs },
};

/** Rounded, so that the server and the browser send the same query a moment apart and share the response. */
const stepMs = 5 * 60_000;

/** sinceStart is the start of a span, never later than requested. */
export function sinceStart(since: Since, now: number): Date {
  return new Date(Math.floor((now - sinceLooks[since].ms) / stepMs) * stepMs);
}
