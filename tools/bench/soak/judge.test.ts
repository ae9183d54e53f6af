import { expect, it } from "vitest";
import { explain, judge, type Soaked } from "./judge.ts";

const place = (what: string, where: string, before: number, after: number) => ({ what, where, before, after });
const soaked = (fields: Partial<Soaked>): Soaked => ({
  left: [
    place("file descriptors", "lb-1", 40, 39),
    place("goroutines", "lb-1", 20, 20),
    place("threads", "lb-1", 9, 11),
  ],
  after: [place("namespaces", "the host", 0, 0)],
  cycles: 4,
  changes: 92,
  every: 1.8,
  requests: 5_000,
  seconds: 120,
  ...fields,
});
const missed = (fields: Partial<Soaked>) =>
  judge(soaked(fields))
    .filter((each) => each.holds === false)
    .map((each) => [each.metric, each.max]);

it("passes if nothing with a bar is left", () => {
  expect(missed({})).toEqual([]);
});

it("fails if something is left in one place, even if another place released as much", () => {
  const left = [place("file descriptors", "lb-1", 40, 41), place("file descriptors", "lb-2", 40, 39)];
  expect(missed({ left })).toEqual([["file descriptors, more than at the start", 1]]);
});

it("fails if something is left after the shutdown, or after too few cycles", () => {
  expect(missed({ after: [place("namespaces", "the host", 0, 2)] })).toEqual([["namespaces", 2]]);
  expect(missed({ cycles: 1 })).toEqual([["cycles completed", 1]]);
});

it("names each place, and explains why something has no bar", () => {
  const notes = explain(soaked({}));
  expect(notes[0]).toBe("threads, lb-1: 9 at the start, 11 at the end");
  expect(notes).toHaveLength(4);
});
