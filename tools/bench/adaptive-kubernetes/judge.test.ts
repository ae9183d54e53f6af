import { expect, it } from "vitest";
import type { Turn } from "../adaptive/measured.ts";
import { lacking } from "../result.ts";
import { explain, judge, kubeProxy, type Least, ours, stressed } from "./judge.ts";

const [scenario] = stressed;
const turn: Turn = {
  ...{ round: 0, scenario, subject: ours, requests: 2700, seconds: 3, meanMs: 1, p50Ms: 1, p99Ms: 8 },
  ...{ served: [[75], [0, 25]], failed: 0, latenessP99Ms: 0.1, idleShare: 0.2, void: [] },
  cores: { servers: 0, clients: 0, agents: 0, lines: 0 },
  workers: [1, 0.3, 0.3, 0.3],
};
const base: Turn = { ...turn, subject: kubeProxy, p99Ms: 10 };
const least: Least = { rounds: 1, countsVoid: false, scenarios: [scenario] };
const roundTripsMs = [3.1, 3.2];

const judged = (turns: Turn[], wanted = least, trips = roundTripsMs) => judge({ turns, roundTripsMs: trips }, wanted);
const missed = (...of: Parameters<typeof judged>) =>
  judged(...of).flatMap(({ metric, holds }) => (holds === false ? [metric] : []));

it("holds its bar if the tail is at most 0.8 times that of kube-proxy in the same round", () => {
  expect(missed([turn, base])).toEqual([]);
  expect(missed([{ ...turn, p99Ms: 8.1 }, base])).toEqual([`${scenario}: p99 ÷ ${kubeProxy}`]);
  expect(missed([turn, base, { ...base, round: 1, p99Ms: 1 }])).toEqual([]);
});

it("misses it without a turn of either subject, or with void ones", () => {
  expect(missed([turn])).toEqual([`${scenario}: rounds that count`]);
  expect(missed([turn, { ...base, void: ["the machine was saturated"] }])).toEqual([`${scenario}: rounds that count`]);
  expect(missed([turn, { ...base, void: ["the machine was saturated"] }], { ...least, countsVoid: true })).toEqual([]);
  expect(missed([])).toContain(`${scenario}: rounds that count`);
});

it("allows no failed request of ours, also in a void turn and in a smoke run", () => {
  const failed = { ...turn, failed: 1, because: "refused", void: ["requests were sent late"] };
  expect(missed([failed, base])).toContain("failed");
  expect(lacking(judged([failed, base], { ...least, countsVoid: true }))).toEqual([
    `${ours}, failed: 1, and not max == 0`,
  ]);
  expect(missed([turn, { ...base, failed: 1 }])).toEqual([]);
  expect(explain({ turns: [failed], roundTripsMs }).join("\n")).toMatch(/1 requests failed, the first: refused/);
});

it("fails a smoke run if a turn has no answers, or nodes have no delay", () => {
  expect(lacking(judged([turn, { ...base, requests: 0 }]))).toHaveLength(1);
  expect(lacking(judged([turn, base], least, [3.1, 0.2]))).toHaveLength(1);
  expect(lacking(judged([turn, base]))).toEqual([]);
});

it("reports the CPU of each worker, for each subject", () => {
  const cpu = judged([turn, base]).filter(({ unit, metric }) => unit === "%" && metric.includes("CPU of worker"));
  expect(cpu).toHaveLength(8);
  expect(cpu[0]).toMatchObject({ subject: ours, metric: `${scenario}: CPU of worker 1`, median: 100 });
});
