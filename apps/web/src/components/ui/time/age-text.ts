import { describeAge } from "@fairlead/domain";
import { type Freshness, freshness } from "@fairlead/domain/node";

export type AgeLook = { text: string; freshness: Freshness | "plain" };

/** describeSince formats an age. With expectedEveryMs it also shows whether the source is silent. */
export function describeSince(at: Date | null, now: number, expectedEveryMs?: number): AgeLook {
  if (!at) return { text: "never", freshness: expectedEveryMs === undefined ? "plain" : "never" };
  const age = describeAge(now - at.getTime());
  if (expectedEveryMs === undefined) return { text: `${age} ago`, freshness: "plain" };
  const trust = freshness(at, expectedEveryMs, new Date(now));
  return { text: trust === "silent" ? `${age}, silent` : `${age} ago`, freshness: trust };
}

// A formatter takes a millisecond to create, and every row of a table shows a time.
const formatters = new Map<string | undefined, Intl.DateTimeFormat>();

/** describeInstant formats the exact time, for tooltips and the audit log: 2026-11-20 22:15:04 in the user's zone. */
export function describeInstant(at: Date, timeZone?: string): string {
  const known = formatters.get(timeZone);
  if (known) return known.format(at);
  const zone = timeZone ? { timeZone } : {};
  const made = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", ...zone });
  formatters.set(timeZone, made);
  return made.format(at);
}
