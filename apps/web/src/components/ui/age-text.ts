import { describeAge, type Freshness, freshness } from "@fairlead/domain";

export type AgeLook = { text: string; freshness: Freshness | "plain" };

/** describeSince puts in words how old something is; with expectedEveryMs also whether its source still speaks. */
export function describeSince(at: Date | null, now: number, expectedEveryMs?: number): AgeLook {
  if (!at) return { text: "never", freshness: expectedEveryMs === undefined ? "plain" : "never" };
  const age = describeAge(now - at.getTime());
  if (expectedEveryMs === undefined) return { text: `${age} ago`, freshness: "plain" };
  const trust = freshness(at, expectedEveryMs, new Date(now));
  return { text: trust === "silent" ? `${age}, silent` : `${age} ago`, freshness: trust };
}

// A formatter takes a millisecond to make, and every row of a table has a time.
const formatters = new Map<string | undefined, Intl.DateTimeFormat>();

/** describeInstant is the exact time, for the tooltip and for audits: 2026-11-20 22:15:04 in the reader's zone. */
export function describeInstant(at: Date, timeZone?: string): string {
  const known = formatters.get(timeZone);
  if (known) return known.format(at);
  const zone = timeZone ? { timeZone } : {};
  const made = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", ...zone });
  formatters.set(timeZone, made);
  return made.format(at);
}
