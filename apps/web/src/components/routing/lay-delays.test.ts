import type { RouteDelay } from "@fairlead/domain/routing";
import { delayBoundsMs } from "@fairlead/domain/routing";
import { describe, expect, it } from "vitest";
import { delayRows, layDelays } from "./lay-delays.ts";
import { shownPhases } from "./update-phases.ts";

const boundsMs = [...delayBoundsMs];

function delay(phase: RouteDelay["phase"], isWithdrawal: boolean, counts: Record<number, number>): RouteDelay {
  const buckets = new Array<number>(boundsMs.length + 1).fill(0);
  for (const [bucket, count] of Object.entries(counts)) buckets[Number(bucket)] = count;
  const count = buckets.reduce((sum, each) => sum + each, 0);
  return { phase, isWithdrawal, count, buckets, msP50: 1, msP99: 2, msMax: 3 };
}

describe("the histograms of delays", () => {
  it("are empty without a measurement", () => {
    expect(layDelays({ boundsMs, delays: [] }, shownPhases)).toEqual({ panels: [], ticks: [], columns: 0 });
  });

  it("share one axis that contains all values, with room at its ends", () => {
    const delays = [
      delay("write", false, { 5: 3, 6: 1 }), // 0.5 ms to 0.7 ms and on
      delay("converge", false, { 10: 4 }), // 3 to 5 ms
      delay("converge", true, { 21: 7 }), // 200 to 300 ms
    ];
    const { panels, ticks, columns } = layDelays({ boundsMs, delays }, shownPhases);
    expect(columns).toBe(19);
    expect(panels.map(({ phase, most }) => [phase, most])).toEqual([
      ["converge", 7],
      ["write", 3],
    ]);
    expect(ticks.map(({ ms }) => ms)).toEqual([1, 10, 100]);
    const [converge, write] = panels;
    expect(converge?.bars.filter((bar) => bar.announced > 0)).toEqual([
      { at: 6, fromMs: 3, toMs: 5, announced: 4, withdrawn: 0 },
    ]);
    expect(converge?.bars.filter((bar) => bar.withdrawn < 0)).toEqual([
      { at: 17, fromMs: 200, toMs: 300, announced: 0, withdrawn: -7 },
    ]);
    expect(write?.withdrawn).toBeNull();
    const one = ticks.find(({ ms }) => ms === 1)?.at ?? 0;
    expect(write?.bars[one + 0.5]?.fromMs).toBe(1);
  });

  it("are wide enough even if all values are equal", () => {
    for (const [bucket, from, to] of [
      [10, 0.5, 30],
      [0, 0, 10],
      [37, 1_500, Number.POSITIVE_INFINITY],
    ] as const) {
      const { panels, columns } = layDelays({ boundsMs, delays: [delay("carry", true, { [bucket]: 1 })] }, shownPhases);
      expect(columns).toBe(13);
      const bars = panels[0]?.bars ?? [];
      expect(bars.filter((bar) => bar.withdrawn === -1)).toHaveLength(1);
      expect(bars[0]?.fromMs).toBeLessThanOrEqual(from);
      expect(bars.at(-1)?.toMs).toBeGreaterThanOrEqual(to);
    }
  });

  it("are saved as counts, the last range without an end", () => {
    const { panels } = layDelays({ boundsMs, delays: [delay("carry", true, { 37: 2 })] }, shownPhases);
    expect(panels.flatMap(delayRows).at(-1)).toEqual({
      fromMs: boundsMs.at(-1),
      toMs: null,
      announced: 0,
      withdrawn: 2,
    });
  });
});
