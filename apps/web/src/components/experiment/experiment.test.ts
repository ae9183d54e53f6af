import type { Experiment, ExperimentReplica } from "@fairlead/domain/experiment";
import { describe, expect, it } from "vitest";
import { linearScale } from "../charts/plot/line-path.ts";
import { describeExperiment } from "./describe-experiment.ts";
import { isRoutedAt, layLanes, maxLanes } from "./lay-lanes.ts";
import { layLine } from "./lay-lines.ts";
import { laySettling } from "./lay-settling.ts";
import { countTicks, stepAt, stepPath } from "./lay-steps.ts";
import { draftAtFirst, readDraft } from "./start-draft.ts";

const start = Date.parse("2026-11-20T10:00:00Z");
const at = (seconds: number) => new Date(start + seconds * 1_000);
const replica = (n: number): ExperimentReplica => ({
  agentId: `agt_${n}`,
  nodeId: `node_${n}`,
  nodeName: `lb-${n}`,
  hops: {},
});

describe("the routing table over time", () => {
  const step = (seconds: number, ...numbers: number[]) => {
    const replicas = numbers.map((n) => `agt_${n}`);
    return { at: at(seconds), replicas, replicaCount: replicas.length };
  };

  it("has a lane per replica, independent of other replicas", () => {
    const routed = [step(0, 1, 2), step(10, 1), step(20, 1, 2), step(30, 2)];
    const { lanes, hidden } = layLanes([replica(1), replica(2), replica(3)], { routed, to: at(40) });
    const seconds = lanes.map(({ name, spans, share }) => [
      name,
      spans.map((span) => [(span.from - start) / 1_000, (span.to - start) / 1_000]),
      share,
    ]);
    expect(seconds).toEqual([
      ["lb-1", [[0, 30]], 0.75],
      ["lb-2", [[0, 10], [20, 40]], 0.75],
      ["lb-3", [], 0],
    ]); // biome-ignore format: spans side by side
    expect(hidden).toBe(0);
    const [, second] = lanes;
    expect([5, 10, 25].map((each) => second && isRoutedAt(second, start + each * 1_000))).toEqual([true, false, true]);
  });

  it("counts omitted lanes, and is empty before the first sample", () => {
    const many = Array.from({ length: maxLanes + 3 }, (_, i) => replica(i));
    const { lanes, hidden } = layLanes(many, { routed: [], to: at(10) });
    expect([lanes.length, hidden]).toEqual([maxLanes, 3]);
    expect(lanes.every(({ spans, share }) => spans.length === 0 && share === 0)).toBe(true);
  });
});

describe("steps", () => {
  const steps = [
    { at: 0, value: 3 },
    { at: 10, value: 1 },
    { at: 30, value: 2 },
  ];
  const scale = linearScale(0, 40, 0, 40);

  it("go level to the next, and on to the end", () => {
    expect(stepPath(steps, 40, scale, (value) => -10 * value)).toBe("M0 -30H10V-10H30V-20H40");
    expect(stepPath([], 40, scale, scale)).toBe("");
  });

  it("hold until the next", () => {
    expect([-1, 0, 9, 10, 100].map((moment) => stepAt(steps, moment))).toEqual([null, 3, 3, 1, 2]);
  });

  it("are marked by whole numbers", () => {
    expect([0, 1, 2, 4, 5, 30].map(countTicks)).toEqual([
      [0, 1],
      [0, 1],
      [0, 1, 2],
      [0, 1, 2, 3, 4],
      [0, 2, 4, 6],
      [0, 8, 16, 24, 32],
    ]);
  });
});

it("leaves a gap in a line where there are no samples", () => {
  const points = [0, 5, 10, 15, 20, 25, 60, 65].map((seconds) => ({ at: at(seconds), value: 8 * seconds }));
  const data = layLine("bps", "Throughput", points);
  expect(data.lines).toMatchObject([{ title: "Throughput", summary: { last: 520, max: 520 } }]);
  expect(data.rows.filter((row) => row.values[0] === null)).toHaveLength(1);
  expect(layLine("bps", "Throughput", []).rows).toEqual([]);
  const inTurn = [0, 1, 5, 6, 10, 11, 15, 16].map((seconds) => ({ at: at(seconds), value: 1 }));
  expect(layLine("bps", "Throughput", inTurn).rows.filter((row) => row.values[0] === null)).toEqual([]);
});

it("shows settle times, without the empty ends", () => {
  const delays = [
    { atMostMs: 5, count: 0 },
    { atMostMs: 10, count: 0 },
    { atMostMs: 20, count: 4 },
    { atMostMs: 50, count: 0 },
    { atMostMs: 1_000, count: 1 },
    { atMostMs: 10_000, count: 0 },
    { atMostMs: null, count: 0 },
  ];
  expect(laySettling(delays)).toEqual([
    { label: "to 10\u00a0ms", count: 0, share: 0 },
    { label: "to 20\u00a0ms", count: 4, share: 1 },
    { label: "to 50\u00a0ms", count: 0, share: 0 },
    { label: "to 1\u00a0s", count: 1, share: 0.25 },
    { label: "to 10\u00a0s", count: 0, share: 0 },
  ]);
  expect(laySettling(delays.map((each) => ({ ...each, count: each.atMostMs ? 0 : 2 })))).toEqual([
    { label: "to 10\u00a0s", count: 0, share: 0 },
    { label: "over 10\u00a0s", count: 2, share: 1 },
  ]);
  expect(laySettling(delays.map((each) => ({ ...each, count: 0 })))).toEqual([]);
});

describe("the sentence", () => {
  const running: Experiment = {
    id: "exm_1",
    clusterId: "clu_1",
    clusterName: "demo",
    state: "running",
    reason: "",
    changeEverySeconds: 20,
    durationSeconds: 600,
    fewestReplicas: 1,
    seed: 7,
    replicaCount: 3,
    startedBy: "Ada",
    startedAt: at(0),
    endsAt: at(600),
    endedAt: null,
    changeCount: 4,
    settledCount: 4,
    slowestMs: 9,
    brokenConnections: 0,
  };
  it.each<[Partial<Experiment>, string]>([
    [{}, "Running for 2 min of 10 min: 1 to 3 replicas at random, changing every 20 s. Started by Ada."],
    [
      { state: "finished", endedAt: at(600) },
      "Ran for its 10 min: 1 to 3 replicas at random, changing every 20 s. All replicas are restored.",
    ],
    [
      { durationSeconds: 90, changeEverySeconds: 3_600 },
      "Running for 2 min of 90 s: 1 to 3 replicas at random, changing every 1 h. Started by Ada.",
    ],
    [
      { state: "stopped", reason: "by Ada.", endedAt: at(61) },
      "Stopped by Ada after 1 min of 10 min. All replicas are restored.",
    ],
    [
      { state: "failed", reason: "The speaker of lb-1 is silent.", endedAt: at(9) },
      "Failed after 9 s of 10 min: The speaker of lb-1 is silent. All replicas are restored.",
    ],
  ])("describes the state: %o", (change, sentence) => {
    expect(describeExperiment({ ...running, ...change }, start + 125_000)).toBe(sentence);
  });
});

describe("the form", () => {
  const draft = { ...draftAtFirst("clu_1"), lasts: "1.5" };
  it("uses the typed values, and any seed if none was typed", () => {
    const spec = { clusterId: "clu_1", changeEverySeconds: 20, durationSeconds: 90, fewestReplicas: 1 };
    expect(readDraft(draft)).toEqual({ spec });
    expect(readDraft({ ...draft, seed: " 42 " })).toEqual({ spec: { ...spec, seed: 42 } });
  });
  it("reports the field with an invalid number", () => {
    const read = readDraft({ ...draftAtFirst(null), changeEvery: "soon", lasts: "-1", fewest: "1.5", seed: "x" });
    expect("problems" in read && Object.keys(read.problems)).toEqual([
      "clusterId",
      "changeEverySeconds",
      "durationSeconds",
      "fewestReplicas",
      "seed",
    ]);
  });
});
