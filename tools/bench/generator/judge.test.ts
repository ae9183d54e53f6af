import { expect, it } from "vitest";
import { explain, judge, kinds, parseLines, type Stall, type Step } from "./judge.ts";

const step = (fields: Partial<Step> = {}): Step => ({
  kind: "open connections",
  half: false,
  rate: 2_000,
  duePerSecond: 2_000,
  sentPerSecond: 1_999,
  latenessP99Ms: 0.2,
  latencyP50Ms: 0.3,
  latencyP99Ms: 0.9,
  resumed: 0,
  failed: 0,
  voidReasons: [],
  ...fields,
});
const stall = (fields: Partial<Stall> = {}): Stall => ({
  round: 0,
  stallMs: 1_000,
  latencyP99Ms: 950,
  latencyMaxMs: 1_000,
  closedLoopP99Ms: 0.2,
  closedLoopMaxMs: 1_000,
  voidReasons: [],
  ...fields,
});
const fast = (rate: number, sentPerSecond: number) => step({ rate, duePerSecond: rate, sentPerSecond });
const whole = (half: Partial<Step> = {}) =>
  kinds.flatMap((kind) => [step({ kind }), step({ kind, half: true, ...half })]);
const missed = (steps: Step[], stalls: Stall[], rounds = 1) =>
  judge({ steps, stalls }, rounds)
    .filter((each) => each.holds === false)
    .map((each) => `${each.subject}: ${each.metric}`);

it("passes if the generator is in time at half its limit, and shows a stall", () => {
  expect(missed(whole(), [stall()])).toEqual([]);
});

it("fails if the generator is late at half its limit", () => {
  expect(missed(whole({ latenessP99Ms: 1.1 }), [stall()])).toEqual(
    kinds.map((kind) => `${kind}: lateness p99, at half the limit`),
  );
});

it("fails if a run at half the limit is void, has failures, or doesn't reach the rate", () => {
  for (const fields of [{ voidReasons: ["late"] }, { failed: 1 }, { sentPerSecond: 1_900 }])
    expect(missed(whole(fields), [stall()])).toEqual(
      kinds.map((kind) => `${kind}: void or not reached, at half the limit`),
    );
});

it("fails if a stall isn't in the latency, or makes the run void", () => {
  expect(missed(whole(), [stall({ latencyP99Ms: 899 })])).toEqual([
    "stalled server: latency p99 from when due, of the stall",
  ]);
  expect(missed(whole(), [stall({ voidReasons: ["late"] })])).toEqual(["stalled server: void"]);
});

it("fails if something was measured too rarely", () => {
  expect(missed(whole(), [stall()], 2)).toEqual([
    ...kinds.map((kind) => `${kind}: times it was measured`),
    "stalled server: times it was measured",
  ]);
  expect(missed([], [])).toHaveLength(4);
});

it("fails if not even the lowest rate is reached", () => {
  const late = kinds.flatMap((kind) => [step({ kind, voidReasons: ["late"] }), step({ kind, half: true })]);
  expect(missed(late, [stall()])).toEqual(kinds.map((kind) => `${kind}: limit`));
});

it("takes the highest rate that was reached as the limit", () => {
  const steps = [step(), fast(3_000, 2_990), fast(4_500, 3_000)];
  const results = judge({ steps: [...steps, step({ half: true })], stalls: [] }, 1);
  expect(results.find((each) => each.metric === "limit")?.max).toBe(3_000);
  expect(explain({ steps, stalls: [] })).toContain(
    "open connections, at 4500 requests/s: 3000 of 4500 requests/s were sent",
  );
});

it("parses the output, and rejects unknown lines", () => {
  const text = `${JSON.stringify({ step: step() })}\n${JSON.stringify({ stall: stall() })}\n`;
  expect(parseLines(text)).toEqual({ steps: [step()], stalls: [stall()] });
  expect(() => parseLines('{"turned":{}}')).toThrow(/Unknown line/);
});
