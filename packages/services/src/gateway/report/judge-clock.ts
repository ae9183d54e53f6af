import { describeAge } from "@fairlead/domain";

/** Of a clock that is further off, what it says of times is left out. */
export const clockToleranceMs = 5 * 60_000;

const beginning = "Its clock is ";

/** judgeClock says that an agent's clock is off, when it sent a report that has just come; nothing if it is right. */
export function judgeClock(sentAt: Date | null, now: Date): string[] {
  if (!sentAt) return [];
  const aheadMs = sentAt.getTime() - now.getTime();
  if (Math.abs(aheadMs) <= clockToleranceMs) return [];
  const side = aheadMs > 0 ? "ahead of" : "behind";
  return [
    `${beginning}${describeAge(Math.abs(aheadMs))} ${side} the control plane's: how long its updates take isn't known. Set its time, by NTP.`,
  ];
}

/** findClockWarning picks what judgeClock said. Whether it is another minute by now is no news. */
export function findClockWarning(warnings: readonly string[]): string | undefined {
  return warnings.find((each) => each.startsWith(beginning));
}
