import { describeAge } from "@fairlead/domain";

/** If a clock is further off than this, the times that it reports are left out. */
export const clockToleranceMs = 5 * 60_000;

const beginning = "Its clock is ";

/**
 * judgeClock returns a warning when an agent's clock is off, by the send time of a report that just arrived; nothing if
 * it is right.
 */
export function judgeClock(sentAt: Date | null, now: Date): string[] {
  if (!sentAt) return [];
  const aheadMs = sentAt.getTime() - now.getTime();
  if (Math.abs(aheadMs) <= clockToleranceMs) return [];
  const side = aheadMs > 0 ? "ahead of" : "behind";
  return [
    `${beginning}${describeAge(Math.abs(aheadMs))} ${side} the control plane's: how long its updates take isn't known. Set its time, by NTP.`,
  ];
}

/** findClockWarning finds the warning of judgeClock. A difference in minutes alone is no change. */
export function findClockWarning(warnings: readonly string[]): string | undefined {
  return warnings.find((each) => each.startsWith(beginning));
}
