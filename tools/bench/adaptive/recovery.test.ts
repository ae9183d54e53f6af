import { expect, it } from "vitest";
import { coldStart, events, kill, leastConnections, ours } from "./bars.ts";
import type { Recovery, Turn } from "./measured.ts";
import { goodAfterMs, killed, recoveries } from "./recovery.ts";

const scenario = events[0] ?? "";
const turn: Turn = {
  ...{ round: 0, scenario, subject: ours, requests: 9600, seconds: 2, meanMs: 1, p50Ms: 1, p99Ms: 6, served: [] },
  ...{ failed: 0, latenessP99Ms: 0.1, idleShare: 0.2, void: [] },
  cores: { servers: 0.6, clients: 0.3, agents: 0.1, lines: 0.2 },
};

function recovery(meansMs: number[], failures: number[] = meansMs.map(() => 0)): Recovery {
  return { meansMs, failures, finalMeanMs: meansMs.at(-1) ?? 0, failedLater: [0, 0, 0, 0] };
}

function missed(turns: Turn[]): string[] {
  return recoveries(turns).flatMap(({ subject, metric, holds }) => (holds === false ? [`${subject}, ${metric}`] : []));
}

it("has recovered when the mean first stays good for 500 ms, without failures", () => {
  expect(goodAfterMs(recovery([9, 9, 1, 9, 1, 1, 1, 1, 1, 9]), 1.5)).toBe(400);
  expect(goodAfterMs(recovery([1, 1, 1, 1, 1, 1], [0, 1, 0, 0, 0, 0]), 1.5)).toBe(600);
  expect(goodAfterMs(recovery([9, 1, 1, 1, 1]), 1.5)).toBe(500);
  expect(goodAfterMs(recovery([1.5, 1.5, 1.5, 1.5, 1.5]), 1.5)).toBe(0);
});

it("is compared with the best subject: a mean that stays high is no recovery", () => {
  const high = { ...turn, recovery: recovery([9, 9, 9, 9, 9, 9, 9]) };
  const low = { ...turn, subject: leastConnections, recovery: recovery([2, 2, 2, 2, 2, 2, 2]) };
  expect(missed([high, low])).toEqual([`${ours}, ${scenario}: recovered after`]);
  expect(missed([{ ...high, recovery: recovery([9, 9, 9, 3, 3, 3, 3, 3]) }, low])).toEqual([]);
});

it("takes no mean from a subject that answered nothing, and no recovery from time without answers", () => {
  const good = { ...turn, recovery: recovery([9, 1, 1, 1, 1, 1, 1]) };
  const dead = { ...turn, subject: leastConnections, recovery: recovery([0, 0, 0, 0, 0, 0, 0]) };
  expect(missed([good, dead])).toEqual([]);
  expect(missed([{ ...dead, subject: ours }])).toEqual([`${ours}, ${scenario}: recovered after`]);
  expect(goodAfterMs(recovery([0, 0, 0, 0, 0, 0, 0]), 1.5)).toBe(700);
});

it("has no bar for a cold start, or for others", () => {
  const high = { ...turn, recovery: recovery([9, 9, 9, 9, 9, 9, 1]) };
  expect(missed([{ ...high, scenario: coldStart }])).toEqual([]);
  expect(missed([{ ...high, subject: leastConnections }])).toEqual([]);
  expect(missed([high])).toHaveLength(1);
});

it("allows two failures per node of requests that began after the kill", () => {
  const holds = (failedLater: number[]) =>
    killed([{ ...turn, scenario: kill, recovery: { ...recovery([1]), failedLater } }]).map((each) => each.holds);
  expect(holds([2, 0, 0, 2])).toEqual([true]);
  expect(holds([0, 3, 0, 0])).toEqual([false]);
});
