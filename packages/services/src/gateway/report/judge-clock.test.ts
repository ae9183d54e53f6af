import { expect, it } from "vitest";
import { findClockWarning, judgeClock } from "./judge-clock.ts";

const now = new Date("2026-11-20T12:00:00Z");
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

it.each<[Date | null, string]>([
  [null, ""],
  [now, ""],
  [minutes(5), ""],
  [minutes(-5), ""],
  [minutes(7), "Its clock is 7 min ahead of the control plane's: "],
  [minutes(-60), "Its clock is 1 h behind the control plane's: "],
])("judges a report that was sent at %s", (sentAt, want) => {
  const warnings = judgeClock(sentAt, now);
  if (want === "") expect(warnings).toEqual([]);
  else expect(findClockWarning(["Another.", ...warnings])).toContain(want);
});
