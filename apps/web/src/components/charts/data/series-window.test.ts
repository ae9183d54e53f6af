import { planSeries, type Series, type SeriesAnswer } from "@fairlead/domain/series";
import { describe, expect, it } from "vitest";
import { moveWindow, planTail, type Refresh, type SeriesWindow } from "./series-window.ts";

const second = 1_000;
const minute = 60 * second;
const start = Date.parse("2026-11-20T12:00:00Z");
const at = (seconds: number) => start + seconds * second;

function series(name: string, ...seconds: number[]): Series {
  const points = seconds.map((each) => ({ at: new Date(at(each)), min: each, avg: each, max: each }));
  return {
    subjectId: "node_1",
    metric: "interfaceReceiveBps",
    unit: "bps",
    labels: { interface: name },
    intervalMs: 5_000,
    points,
  };
}
const answer = (...all: Series[]): SeriesAnswer => ({ resolutionMs: 5_000, series: all });
const shown = (...all: Series[]): SeriesWindow => ({
  from: at(0),
  to: at(900),
  fullAt: at(900),
  answer: answer(...all),
});
const movedBy = (seconds: number) => ({ from: at(seconds), to: at(900 + seconds) });
const ordered: Refresh = { fullEveryMs: 15 * minute, olderSteps: 0 };
const late: Refresh = { ...ordered, olderSteps: 1 };

describe("planTail", () => {
  const window = shown(series("eth0", 0, 5, 890, 895));

  it("starts at the newest point, or a step before it for late samples", () => {
    expect(planTail(window, movedBy(5), ordered)).toEqual({ from: at(895), to: at(905), maxPoints: 4 });
    expect(planTail(window, movedBy(5), late)).toEqual({ from: at(890), to: at(905), maxPoints: 5 });
  });

  it("starts at the series that is furthest behind", () => {
    expect(planTail(shown(series("eth0", 895), series("eth1", 880)), movedBy(5), ordered)?.from).toBe(at(880));
  });

  it("does not wait for a series that ended", () => {
    expect(planTail(shown(series("eth0", 895), series("eth1", 600)), movedBy(5), ordered)?.from).toBe(at(895));
  });

  it("covers the time that the tab was hidden", () => {
    expect(planTail(window, movedBy(300), ordered)).toEqual({ from: at(895), to: at(1_200), maxPoints: 63 });
  });

  it.each([5, 15, 60, 180, 1_440, 10_080, 43_200])("keeps the step for a span of %i minutes", (minutes) => {
    const now = start + 7 * second;
    const span = { from: now - minutes * minute, to: now };
    const plan = (query: { from: number; to: number; maxPoints: number }) =>
      planSeries({ ...query, from: new Date(query.from), to: new Date(query.to) }, new Date(now));
    const { stepMs } = plan({ ...span, maxPoints: 300 });
    for (const stepsAgo of [0, 1, 2, 7, 40]) {
      const newest = Math.floor(now / stepMs) * stepMs - stepsAgo * stepMs;
      const one = { ...series("eth0"), points: [{ at: new Date(newest), min: 0, avg: 0, max: 0 }] };
      const tail = planTail({ ...span, fullAt: now, answer: { resolutionMs: stepMs, series: [one] } }, span, late);
      expect(tail && plan(tail)).toMatchObject({ stepMs, from: new Date(newest - stepMs) });
    }
  });

  it.each<[string, SeriesWindow | null, { from: number; to: number }]>([
    ["nothing is on screen", null, movedBy(5)],
    ["nothing was measured so far", shown(), movedBy(5)],
    ["another range is selected", window, { from: at(0), to: at(905) }],
    ["the clock went back", window, movedBy(-5)],
    ["all of the window is out of the span", window, movedBy(895)],
    ["the last full read is long ago", window, movedBy(850)],
  ])("reads the full span if %s", (_when, before, span) => {
    expect(planTail(before, span, { ...ordered, fullEveryMs: 850 * second })).toBeNull();
  });
});

describe("moveWindow", () => {
  const window = shown(series("eth0", 0, 5, 885, 890, 895), series("eth1", 0, 895));

  it("drops points outside the span, replaces the steps read again, and adds newer ones", () => {
    const late = { ...series("eth0", 890, 895, 900) };
    for (const point of late.points) point.max = 1_000;
    const moved = moveWindow(window, answer(late, series("eth1", 895, 900)), at(890), movedBy(5));
    expect(
      moved?.answer.series.map(({ points }) => points.map((each) => (each.at.getTime() - start) / second)),
    ).toEqual([
      [5, 885, 890, 895, 900],
      [895, 900],
    ]);
    expect(moved?.answer.series[0]?.points.map(({ max }) => max)).toEqual([5, 885, 1_000, 1_000, 1_000]);
    expect(moved).toMatchObject({ ...movedBy(5), fullAt: window.fullAt });
  });

  it("keeps a gap, and removes a series whose last point left the span", () => {
    const moved = moveWindow(
      shown(series("eth0", 880, 895), series("eth1", 5)),
      answer(series("eth0", 895, 920)),
      at(890),
      movedBy(20),
    );
    expect(moved?.answer.series).toEqual([series("eth0", 880, 895, 920)]);
  });

  it("stays as it is while the source is silent", () => {
    expect(moveWindow(window, answer(), at(900), movedBy(5))?.answer.series).toEqual([
      series("eth0", 5, 885, 890, 895),
      series("eth1", 895),
    ]);
  });

  it.each<[string, SeriesAnswer]>([
    ["the step differs", { resolutionMs: 10_000, series: [] }],
    ["a series starts", answer(series("eth9", 900))],
    ["a series resumes, so that its source may still have sent older points", answer(series("eth2", 900))],
  ])("reads the full span if %s", (_when, tail) => {
    const resumed = shown(...window.answer.series, series("eth2", 600));
    expect(moveWindow(resumed, tail, at(890), movedBy(5))).toBeNull();
  });
});
