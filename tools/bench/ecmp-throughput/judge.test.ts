import { expect, it } from "vitest";
import { type Carried, explain, type Followed, judge, parseLines } from "./judge.ts";

const carried = (replicas: number, mbps: number, of: Partial<Carried> = {}): Carried => ({
  round: 0,
  mbps: 100,
  replicas,
  connections: 64,
  carried: mbps,
  idle: 0.2,
  failed: 0,
  ...of,
});
const followed = (before: number, replicas: number, of: Partial<Followed> = {}): Followed => ({
  before,
  replicas,
  carried: 97 * replicas,
  levelMs: 400,
  failed: 0,
  ...of,
});
const good = {
  carried: [
    carried(1, 98),
    carried(2, 195),
    carried(1, 3_000, { mbps: 0, idle: 0.1 }),
    carried(1, 90, { connections: 8 }),
  ],
  followed: [followed(1, 3), followed(3, 2)],
};
const least = { replicas: 2, rounds: 1, changes: 2 };
const missed = (measured: Partial<typeof good>) =>
  judge({ ...good, ...measured }, least)
    .filter((each) => each.holds === false)
    .map((each) => each.metric);

it("requires throughput proportional to the number of replicas", () => {
  expect(missed({})).toEqual([]);
  expect(missed({ carried: [carried(1, 98), carried(2, 180)] })).toEqual(["2 replicas, of 2 times what one carries"]);
  const behind = [followed(1, 3, { carried: 200 }), followed(3, 4, { carried: 300 })];
  expect(missed({ followed: behind })).toEqual(["carried, of what so many can"]);
});

it("allows no failed request", () => {
  expect(missed({ followed: [followed(1, 3, { failed: 2 }), followed(3, 1)] })).toEqual(["requests that failed"]);
});

it("misses its bar if too little or nothing was measured", () => {
  expect(missed({ carried: [carried(1, 98)] })).toContain("numbers of replicas that were measured");
  expect(missed({ followed: [] })).toEqual(["changes that were measured"]);
  expect(judge({ carried: [], followed: [] }, least).map((each) => each.holds)).toEqual([false, false]);
});

it("reports idle processor time, and why requests failed", () => {
  const notes = explain({ ...good, followed: [followed(1, 2, { failed: 1, because: "reset" })] });
  expect(notes[1]).toContain("nothing to do for 10 % of the time");
  expect(notes.at(-1)).toBe("1 → 2 replicas: of the requests failed 1, the first: reset");
});

it("parses the output, and rejects unknown lines", () => {
  const [one] = good.carried;
  expect(parseLines(`${JSON.stringify({ carried: one })}\n`)).toEqual({ carried: [one], followed: [] });
  expect(() => parseLines('{"turned":{}}')).toThrow(/Unknown line/);
});
