import { presetTitles, type TimeRange } from "./time-range.ts";

/** describeRange describes a range briefly but exactly, in the user's time zone. */
export function describeRange(range: TimeRange, timeZone?: string): string {
  if (range.kind === "relative") return presetTitles[range.preset];
  const { from, to } = range;
  const zone = timeZone ? { timeZone } : {};
  const seconds = to.getTime() - from.getTime() < 10 * 60_000;
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", ...zone });
  const clock = new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    ...(seconds ? { second: "2-digit" as const } : {}),
    ...zone,
  });
  const fromDay = day.format(from);
  const toDay = day.format(to);
  if (fromDay === toDay) return `${fromDay}, ${clock.format(from)} – ${clock.format(to)}`;
  return `${fromDay}, ${clock.format(from)} – ${toDay}, ${clock.format(to)}`;
}
