import { planSeries, type Series, type SeriesAnswer } from "@fairlead/domain/series";
import { describe, expect, it } from "vitest";
import { moveWindow, planTail, type SeriesWindow } from "./series-window.ts";

const second = 1_000;
const start = Date.parse("2026-11-20T12:00:00Z");

function series(name: string, ...seconds: number[]): Series {
  const points = seconds.map((at) => ({ at: new Date(start + at * second), min: at, avg: at, max: at }));
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
const quarter = 900;
const window: SeriesWindow = {
  from: start,
  to: start + quarter * second,
  fullAt: start + quarter * second,
  answer: answer(series("eth0", 0, 5, 890, 895), series("eth1", 0)),
};

describe("planTail", () => {
  it("reads only the end of a moved span, with the same step", () => {
    const tail = planTail(window, window.from + 5 * second, window.to + 5 * second);
    expect(tail).toEqual({ from: start + 865 * second, maxPoints: 10 });
    const plan = planSeries(
      { from: new Date(tail?.from ?? 0), to: new Date(window.to + 5 * second), maxPoints: tail?.maxPoints ?? 0 },
      new Date(window.to),
    );
    expect(plan.stepMs).toBe(window.answer.resolutionMs);
  });

  it("keeps the step for every span that a page offers", () => {
    for (const minutes of [5, 15, 60, 180, 1_440, 10_080, 43_200]) {
      const spanMs = minutes * 60 * second;
      const whole = planSeries(
        { from: new Date(start - spanMs), to: new Date(start), maxPoints: 300 },
        new Date(start),
      );
      const shown = { ...window, from: start - spanMs, to: start, fullAt: start };
      const moved = 5 * second;
      const tail = planTail(
        { ...shown, answer: { resolutionMs: whole.stepMs, series: [] } },
        shown.from + moved,
        start + moved,
      );
      const query = { from: new Date(tail?.from ?? 0), to: new Date(start + moved), maxPoints: tail?.maxPoints ?? 0 };
      expect([minutes, planSeries(query, new Date(start + moved)).stepMs]).toEqual([minutes, whole.stepMs]);
    }
  });

  it.each([
    ["nothing is on screen", null, 5, 5],
    ["another span is requested", window, 0, 5],
    ["the clock went back", window, -5, -5],
    ["the last full read is a minute ago", window, 60, 60],
  ])("reads the full span if %s", (_when, shown, from, to) => {
    expect(planTail(shown, window.from + from * second, window.to + to * second)).toBeNull();
  });
});

describe("moveWindow", () => {
  const span = { from: window.from + 5 * second, to: window.to + 5 * second };

  it("drops points outside the span and adds newer ones", () => {
    const moved = moveWindow(window, answer(series("eth0", 890, 896, 900)), start + 885 * second, span);
    expect(moved?.answer.series).toEqual([series("eth0", 5, 890, 896, 900)]);
    expect(moved).toMatchObject({ ...span, fullAt: window.fullAt });
  });

  it("adds a new series", () => {
    const moved = moveWindow(window, answer(series("eth9", 900)), start + 885 * second, span);
    expect(moved?.answer.series.map((each) => each.labels.interface)).toEqual(["eth0", "eth9"]);
  });

  it("rejects a tail with another step", () => {
    expect(moveWindow(window, { resolutionMs: 10_000, series: [] }, start, span)).toBeNull();
  });
});
