import { invalid } from "../../errors.ts";
import { resolutions } from "../../series/series.ts";

const hourMs = 3_600_000;
const most = { hours: 400 * 24, byHour: 31 * 24 };

/** Hours are numbered from 1970 on; to is the first that is left out. */
export type Hours = { from: number; to: number };

export function hourOf(at: Date): number {
  return Math.floor(at.getTime() / hourMs);
}

export function startOfHour(hour: number): Date {
  return new Date(hour * hourMs);
}

/** monthOf is the calendar month, in UTC, that an hour lies in. */
export function monthOf(hour: number): Hours {
  const at = startOfHour(hour);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return { from: Date.UTC(year, month) / hourMs, to: Date.UTC(year, month + 1) / hourMs };
}

/** dayOfHour is the day of an hour in UTC, such as 2026-11-25. */
export function dayOfHour(hour: number): string {
  return startOfHour(hour).toISOString().slice(0, 10);
}

export type Step = "all" | "day" | "hour";

/** hoursAsked are the whole hours that are asked for: this month, up to the last hour that is over, when nothing is said. */
export function hoursAsked(
  { from, to, step }: { from?: Date | undefined; to?: Date | undefined; step: Step },
  now: Date,
): Hours {
  if (from && to && from >= to) throw invalid(["to"], "to must be later than from: swap them, or leave one out");
  const over = hourOf(now);
  // In the first hour of a month there is nothing else of it yet.
  const end = to ? Math.ceil(to.getTime() / hourMs) : from ? over : Math.max(over, monthOf(over).from + 1);
  const begin = from ? hourOf(from) : monthOf(end - 1).from;
  if (begin >= end) throw invalid(["from"], "from is not over yet: ask from an earlier time, or say until when by to");
  if (end - begin > most.hours)
    throw invalid(["from"], "that is more than 400 days: ask from a later time, or for less by to");
  if (step === "hour" && end - begin > most.byHour)
    throw invalid(["step"], "by the hour it is 31 days at most: take day, or ask for less at once");
  return { from: begin, to: end };
}

/** hoursToRecount are the whole hours, over by now, that are to be metered anew. Of older ones than are kept there is nothing left to meter. */
export function hoursToRecount({ from, to }: { from: Date; to?: Date | undefined }, now: Date): Hours {
  const asked = hoursAsked({ from, to, step: "all" }, now);
  const hours = { from: asked.from, to: Math.min(asked.to, hourOf(now)) };
  if (hours.from >= hours.to)
    throw invalid(
      ["from"],
      "that hour is not over yet, and metered every few minutes anyway: ask from an earlier time",
    );
  if (hours.to - hours.from > most.byHour)
    throw invalid(["from"], "that is more than 31 days: ask from a later time, or for less by to");
  if (startOfHour(hours.from).getTime() < now.getTime() - resolutions.hour.retentionMs)
    throw invalid(["from"], "no series are kept of that time: ask from a later one");
  return hours;
}

/** stepOf is the first hour of the step that an hour belongs to; null where all are one. */
export function stepOf(step: Step, hour: number): number | null {
  switch (step) {
    case "all":
      return null;
    case "day":
      return hour - (hour % 24);
    case "hour":
      return hour;
    default:
      return step satisfies never;
  }
}
