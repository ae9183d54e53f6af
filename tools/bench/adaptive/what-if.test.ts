import { expect, it } from "vitest";
import { ours, whatIfs } from "./bars.ts";
import type { Turn, WhatIfTurns } from "./measured.ts";
import { judgePredictions, type Prediction, predictAll } from "./what-if.ts";

const [scenario = ""] = whatIfs;
const turn = { p99Ms: 10, void: [] as string[] } as Turn;
const node = (nodeId: string, own: boolean) => ({
  nodeId,
  open: "0",
  backends: own ? 1 : 0,
  serviceSeconds: 0.9,
  cores: 0.2,
});
const report = (nodeId: string, other: string) => ({
  nodeId,
  status: {
    cores: 0.2,
    peers: [{ nodeId: other, state: "exchanging", roundTripMs: 3 }],
    services: [
      {
        ...{ loadBalancerId: "lb_bench", address: "10.96.0.10", port: 80, protocol: "tcp", ready: true },
        ...{ connectionsPerSecond: 500, requestsPerSecond: 500, serviceSeconds: 0.0001, cpuPeriodSeconds: 0.005 },
        nodes: [node(nodeId, true), node(other, false)],
      },
      { loadBalancerId: "lb_other", port: 80, protocol: "tcp", requestsPerSecond: 9_000 },
    ],
  },
});
const whatIf: WhatIfTurns = {
  ...{ round: 0, scenario, change: { roundTripMs: 18 }, before: turn, after: { ...turn, p99Ms: 20 } },
  reports: [report("n1", "n2"), report("n2", "n1")],
};

it("predicts from reports, by the mean service time and the period of the quota that agents measured", async () => {
  const [found] = await predictAll({ turns: [], leftOut: [], whatIfs: [whatIf] }, async (_, plans) => {
    expect(plans.map((each) => each.delay[0]?.[1])).toEqual([0.0015, 0.009]);
    expect(plans[0]).toMatchObject({ cores: [0.2, 0.2], rates: [500, 500], handshake: true });
    expect(plans[0]).toMatchObject({ serviceTime: 0.0001, cpuPeriods: [0.005, 0.005] });
    return plans.map((_, place) => ({
      ...{ meanMs: 1, latency: { p50Ms: 1, p99Ms: 9 + 9 * place }, localShare: 1, busyShares: [0.5, 0.5] },
    }));
  });
  expect(found).toMatchObject({ before: { predicted: 9, measured: 10 }, after: { predicted: 18, measured: 20 } });
});

const prediction = (predicted: number | null, fields: Partial<Prediction> = {}): Prediction => ({
  ...{ round: 0, scenario, void: [], before: { predicted: 10, measured: 10 }, after: { predicted, measured: 20 } },
  ...fields,
});
const least = { rounds: 1, countsVoid: false, scenarios: [scenario] };
const missed = (...predictions: Prediction[]) =>
  judgePredictions(predictions, least).flatMap(({ metric, holds }) => (holds === false ? [metric] : []));

it("holds a prediction within 20 % of what was measured after the change", () => {
  expect(missed(prediction(16.1), prediction(23.9), prediction(20))).toEqual([]);
  expect(missed(prediction(15.9))).toEqual([`${scenario}: predicted ÷ measured p99`]);
  expect(missed(prediction(24.1))).toEqual([`${scenario}: predicted ÷ measured p99, at most`]);
});

it("counts neither void turns nor overloads that weren't one", () => {
  const count = [`${scenario}: rounds that count`];
  expect(missed(prediction(20, { void: ["the machine was saturated"] }))).toEqual(count);
  expect(missed(prediction(null))).toEqual(count);
  expect(judgePredictions([], { ...least, subjects: ["random"] })).toEqual([]);
  expect(judgePredictions([], { ...least, subjects: [ours] })).toHaveLength(1);
});
