import { invalid } from "../../errors.ts";
import { resolutions } from "../../series/series.ts";

const hourMs = 3_600_000;
const most = { hours: 400 * 24, byHour: 31 * 24 };

/** Hours are counted from 1970; to is exclusive. */
export type Hours = { from: number; to: number };

export function hourOf(at: Date): number {
  return Math.floor(at.getTime() / hourMs);
}

export function startOfHour(hour: number): Date {
  return new Date(hour * hourMs);
}

/** monthOf is the calendar month of an hour, in UTC. */
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

/** requestedHours returns the requested hours; by default those of this month, up to the last whole hour. */
export function requestedHours(
  { from, to, step }: { from?: Date | undefined; to?: Date | undefined; step: Step },
  now: Date,
): Hours {
  if (from && to && from >= to) throw invalid(["to"], "to must be later than from: swap them, or leave one out");
  const over = hourOf(now);
  // In the first hour of a month there is no other hour yet.
  const end = to ? Math.ceil(to.getTime() / hourMs) : from ? over : Math.max(over, monthOf(over).from + 1);
  const begin = from ? hourOf(from) : monthOf(end - 1).from;
  if (begin >= end) throw invalid(["from"], "from is not over yet: set an earlier time, or set to");
  if (end - begin > most.hours)
    throw invalid(["from"], "that is more than 400 days: set a later from, or an earlier to");
  if (step === "hour" && end - begin > most.byHour)
    throw invalid(["step"], "31 days at most with the step hour: set the step day, or a shorter time");
  return { from: begin, to: end };
}

/** hoursToRecount returns the past hours to meter again. Hours older than the retention of series can't be metered. */
export function hoursToRecount({ from, to }: { from: Date; to?: Date | undefined }, now: Date): Hours {
  const requested = requestedHours({ from, to, step: "all" }, now);
  const hours = { from: requested.from, to: Math.min(requested.to, hourOf(now)) };
  if (hours.from >= hours.to)
    throw invalid(["from"], "that hour is not over yet, and metered every few minutes anyway: set an earlier time");
  if (hours.to - hours.from > most.byHour)
    throw invalid(["from"], "that is more than 31 days: set a later from, or an earlier to");
  if (startOfHour(hours.from).getTime() < now.getTime() - resolutions.hour.retentionMs)
    throw invalid(["from"], "series of that time are no longer kept: set a later time");
  return hours;
}

/** stepOf is the first hour of an hour's step; null if all hours are one step. */
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
