import { sampleWindow } from "@fairlead/domain/series";
import { describe, expect, it } from "vitest";
import { planSpans } from "./plan-spans.ts";

const now = new Date("2026-11-25T12:00:40Z");
const at = (time: string) => new Date(`2026-11-25T${time}:00Z`);
const long = new Date(0);

describe("the plan of a read", () => {
  it("covers ten minutes again and all since, until the last whole minute", () => {
    const [only] = planSpans([{ readUntil: at("11:55"), createdAt: long }], now);
    expect(only?.spans).toEqual([{ from: at("11:45"), to: at("12:00"), quietBefore: at("11:55") }]);
  });

  it("covers two and a half hours again once an hour, for minutes that the cloud counted late", () => {
    const fromOf = (readUntil: string, second: string) =>
      planSpans([{ readUntil: at(readUntil), createdAt: long }], new Date(`2026-11-25T${second}Z`))[0]?.spans[0]?.from;
    expect(fromOf("11:58", "12:04:40")).toEqual(at("11:45"));
    expect(fromOf("11:59", "12:05:40")).toEqual(at("09:25"));
    expect(fromOf("12:00", "12:06:40")).toEqual(at("11:50"));
  });

  it("is one call for balancers that lag a little, and another for one that lags far", () => {
    const read = (time: string) => ({ readUntil: at(time), createdAt: long });
    const groups = planSpans([read("11:55"), read("11:56"), read("11:30"), read("11:58")], now);
    expect(groups.map(({ balancers, spans }) => [balancers.length, spans[0]?.from])).toEqual([
      [3, at("11:45")],
      [1, at("11:20")],
    ]);
  });

  it("has at most 500 metrics in a call", () => {
    const many = Array.from({ length: 400 }, () => ({ readUntil: at("11:55"), createdAt: long }));
    expect(planSpans(many, now).map(({ balancers }) => balancers.length)).toEqual([166, 166, 68]);
  });

  it("covers nothing from before a balancer was created", () => {
    const [only] = planSpans([{ readUntil: null, createdAt: at("11:52") }], now);
    expect(only?.spans[0]?.from).toEqual(at("11:50"));
    expect(planSpans([{ readUntil: null, createdAt: now }], now)[0]?.spans).toEqual([]);
  });

  it("reaches back as far as samples are accepted, in steps without a gap", () => {
    const [only] = planSpans([{ readUntil: null, createdAt: long }], now);
    const spans = only?.spans ?? [];
    expect(spans).toHaveLength(8);
    const reachMs = now.getTime() - (spans[0]?.from.getTime() ?? 0);
    expect(reachMs).toBeLessThanOrEqual(sampleWindow.pastMs);
    expect(reachMs).toBeGreaterThan(sampleWindow.pastMs - 10 * 60_000);
    for (const [index, { from }] of spans.entries()) if (index > 0) expect(from).toEqual(spans[index - 1]?.to);
    expect(spans.at(-1)?.to).toEqual(at("12:00"));
  });
});
