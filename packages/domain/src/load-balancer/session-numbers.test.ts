import { describe, expect, it } from "vitest";
import { mostSessionNumbers, planSessionNumbers, type SessionNumber } from "./session-numbers.ts";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000);
const names = (count: number, prefix = "web") => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
const numbersOf = (rows: readonly SessionNumber[]) =>
  Object.fromEntries(rows.filter((each) => each.releasedAt === null).map((each) => [each.instance, each.number]));

describe("the number of an instance", () => {
  it("stays with it while others come and go", () => {
    const first = planSessionNumbers([], ["a", "b"], at(0));
    expect(numbersOf(first)).toEqual({ a: 1, b: 2 });
    const second = planSessionNumbers(first, ["b", "c"], at(1));
    expect(numbersOf(second)).toEqual({ b: 2, c: 3 });
    expect(numbersOf(planSessionNumbers(second, ["a", "b", "c"], at(2)))).toEqual({ a: 1, b: 2, c: 3 });
  });

  it("is one that was never used, then the one that was released first", () => {
    const all = planSessionNumbers([], names(mostSessionNumbers), at(0));
    const without5 = planSessionNumbers(
      all,
      names(mostSessionNumbers).filter((each) => each !== "web-5"),
      at(1),
    );
    const left = names(mostSessionNumbers).filter((each) => each !== "web-5" && each !== "web-3");
    const without3 = planSessionNumbers(without5, left, at(2));
    const replaced = planSessionNumbers(without3, [...left, "new-1"], at(3));
    const number = (instance: string) => all.find((each) => each.instance === instance)?.number;
    expect(numbersOf(replaced)["new-1"]).toBe(number("web-5"));
    const again = planSessionNumbers(replaced, [...left, "new-1", "new-2"], at(4));
    expect(numbersOf(again)["new-2"]).toBe(number("web-3"));
  });

  it("is shared evenly by more instances than there are numbers", () => {
    const counts = new Map<number, number>();
    for (const number of Object.values(numbersOf(planSessionNumbers([], names(300), at(0)))))
      counts.set(number, (counts.get(number) ?? 0) + 1);
    expect(counts.size).toBe(mostSessionNumbers);
    expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBe(1);
  });
});

it("is found for 10,000 new instances without keeping the control plane busy", () => {
  const began = performance.now();
  expect(planSessionNumbers([], names(10_000), at(0))).toHaveLength(10_000);
  expect(performance.now() - began).toBeLessThan(1_000);
});

/** A generator whose sequence is the same in every run (Lehmer). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

it("is within the range, kept while in use, and not shared while another is free, whatever comes and goes", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const next = random(seed);
    let rows: SessionNumber[] = [];
    for (let step = 0; step < 40; step++) {
      const present = names(200).filter(() => next(10) < 1 + (seed % 9));
      const before = numbersOf(rows);
      rows = planSessionNumbers(rows, present, at(step));
      const after = numbersOf(rows);
      expect(Object.keys(after).sort()).toEqual([...present].sort());
      const used = Object.values(after);
      expect(used.every((each) => Number.isInteger(each) && each >= 1 && each <= mostSessionNumbers)).toBe(true);
      for (const name of present) if (name in before) expect(after[name]).toBe(before[name]);
      const fresh = present.filter((name) => !(name in before));
      if (new Set(used).size < mostSessionNumbers)
        for (const name of fresh) {
          const sharing = present.filter((each) => after[each] === after[name]);
          // One that returns gets its former number only if no other has it by then.
          expect(sharing, `${name} of seed ${seed}`).toEqual([name]);
        }
      expect(rows.filter((each) => each.releasedAt !== null).length).toBeLessThanOrEqual(mostSessionNumbers);
      expect(new Set(rows.map((each) => each.instance)).size).toBe(rows.length);
    }
  }
});
