import { describe, expect, it } from "vitest";
import { delayBoundsMs, delayQuantile } from "./delay-buckets.ts";
import { measurePhases, type StepTaken, splitSteps } from "./follow-update.ts";

const start = 1_793_534_400_000_000;
function at(afterMs: number, step: StepTaken["step"], agentId: string): StepTaken {
  return { step, agentId, nodeName: agentId, atUs: start + afterMs * 1_000 };
}
const announced = [
  at(-300, "caused", "sp"),
  at(0, "announced", "sp"),
  at(0.8, "reflected", "rr-1"),
  at(1.1, "reflected", "rr-2"),
  at(1.5, "learned", "tor"),
  at(2.25, "routed", "tor"),
  at(40, "carried", "sp"),
];
const later = (steps: StepTaken[], ms: number) => steps.map((each) => ({ ...each, atUs: each.atUs + ms * 1_000 }));

/** Shuffles steps in a fixed way, and reports some of them twice. There are too many orders to test them all. */
function shuffled(steps: StepTaken[]): StepTaken[] {
  const order = steps.map((each, index) => ({ each, key: (index * 7 + 3) % 11 })).sort((a, b) => a.key - b.key);
  return [...order.map(({ each }) => each), ...steps.slice(0, 3)];
}

describe("reported steps", () => {
  it("are one update, in any order and with duplicates", () => {
    expect(splitSteps(shuffled(announced))).toEqual([announced]);
  });

  it("are two updates when an agent takes a step again", () => {
    const again = later(announced, 4_000);
    expect(splitSteps(shuffled([...announced, ...again]))).toEqual([announced, again]);
  });

  it("belong to the preceding update in time, even if the next update was reported first", () => {
    const known = [at(0, "announced", "sp"), at(4_000, "announced", "sp"), at(4_001, "reflected", "rr-1")];
    expect(splitSteps(known).map((each) => each.length)).toEqual([1, 2]);
    expect(splitSteps([...known, at(0.9, "reflected", "rr-1")]).map((each) => each.length)).toEqual([2, 2]);
  });

  it("are not joined with a later cause, nor over more than a minute", () => {
    expect(splitSteps([at(0, "announced", "sp"), at(3_000, "caused", "sp")])).toHaveLength(2);
    expect(splitSteps([at(0, "announced", "sp"), at(60_001, "routed", "tor")])).toHaveLength(2);
  });

  it("begin with the readiness of a backend, even if it was reported last and long before its probe", () => {
    const ready = at(-9_000, "ready", "sp");
    expect(splitSteps([...announced, ready])).toEqual([[ready, ...announced]]);
    expect(measurePhases([ready, ...announced], false)).toMatchObject({ find: 8_700, notice: 300 });
    const next = [at(2_000, "ready", "sp"), at(2_100, "caused", "sp"), at(2_101, "announced", "sp")];
    expect(splitSteps([...announced.slice(0, 4), ...next])).toEqual([announced.slice(0, 4), next]);
  });

  it("are joined even if the clock of one host is behind", () => {
    const early = [
      at(-20, "learned", "tor"),
      at(-19, "routed", "tor"),
      at(0, "caused", "sp"),
      at(0, "announced", "sp"),
    ];
    expect(splitSteps(early)).toEqual([early]);
    expect(measurePhases(early, false)).toEqual({ notice: 0, write: 1, converge: 0 });
  });
});

describe("phases", () => {
  it("are measured between steps: to the first reflector, the last router, the first packet", () => {
    const two = [...announced, at(3, "learned", "tor-2"), at(9, "routed", "tor-2")];
    expect(measurePhases(two, false)).toEqual({
      notice: 300,
      reflect: 0.8,
      deliver: 2.2,
      write: 6,
      carry: 31,
      converge: 9,
    });
  });

  it("of a withdrawal end with the last reflector and the last packet", () => {
    expect(measurePhases(announced, true)).toMatchObject({ reflect: 1.1, deliver: 0.4, carry: 37.75 });
  });

  it("are absent if a step is unknown", () => {
    expect(measurePhases([at(0, "reflected", "rr-1"), at(1, "learned", "tor")], true)).toEqual({ deliver: 1 });
  });
});

describe("delays in buckets", () => {
  it("have increasing bounds", () => {
    expect(delayBoundsMs).toHaveLength(37);
    expect(delayBoundsMs.slice(0, 7)).toEqual([0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1]);
    expect(delayBoundsMs.at(-1)).toBe(100_000);
    expect(delayBoundsMs.every((each, index) => index === 0 || each > (delayBoundsMs[index - 1] ?? 0))).toBe(true);
  });

  it("have quantiles up to the longest delay", () => {
    const buckets = new Array<number>(38).fill(0);
    buckets[10] = 98; // 3 to 5 ms
    buckets[20] = 2; // 150 to 200 ms
    expect(delayQuantile(buckets, 0.5, 160)).toBeCloseTo(3 + (2 * 50) / 98);
    expect(delayQuantile(buckets, 0.99, 160)).toBe(155);
    expect(delayQuantile(buckets, 1, 160)).toBe(160);
    const beyond = new Array<number>(38).fill(0);
    beyond[37] = 1;
    expect(delayQuantile(beyond, 0.5, 120_000)).toBe(110_000);
  });
});
