import { describe, expect, it } from "vitest";
import { judgeGates, type MoveFigures } from "./judge-gates.ts";
import { moveGates, moveSteps, startMove, usualGates, usualSteps } from "./move.ts";
import { placeAt } from "./place-at.ts";
import { type MoveProgress, planMove } from "./plan-move.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);
const serving = { isReachable: true, isServing: true, backendsUp: 2 };
const silent = { isReachable: false, isServing: false, backendsUp: 0 };
const figuresWith = (other: Partial<MoveFigures> = {}): MoveFigures => ({
  ...{ source: serving, target: serving, errorPercent: null, latencyMsP99: null, cpuPercent: null },
  ...other,
});
const limits = moveGates.parse({});

function progress({ figures = figuresWith(), ...other }: Partial<MoveProgress> = {}): MoveProgress {
  return {
    ...{ state: "watching", steps: [5, 50, 100], step: 1, stepAt: at(0), watchSeconds: 60, startedAt: at(0) },
    ...{ fromClusterName: "demo", toClusterName: "west", servingSince: at(0), share: 5 },
    ...{ rollingBackSince: null },
    ...{ exposure: { isPaused: false, isDeleted: false }, figures, gates: judgeGates(limits, figures) },
    ...other,
  };
}

describe("a move", () => {
  it.each<[string, Partial<MoveProgress>, number, object]>([
    [
      "applies its first step at once",
      { state: "planned", step: 0, stepAt: null, servingSince: null },
      0,
      { type: "step", index: 0 },
    ],
    ["watches a step", {}, 59.9, { type: "wait" }],
    ["applies the next step when this one was watched", {}, 60, { type: "step", index: 1 }],
    ["ends after its last step was watched", { step: 3 }, 60, { type: "end", state: "done", reason: "" }],
    [
      "waits for the target at first",
      { servingSince: null, figures: figuresWith({ target: silent }) },
      59,
      { type: "wait" },
    ],
    ["does nothing while it is paused", { state: "paused" }, 1_000, { type: "wait" }],
    ["does nothing when it has ended", { state: "done", step: 3 }, 1_000, { type: "wait" }],
    [
      "restores the source before the target is removed",
      { state: "rolling-back", figures: figuresWith({ source: silent }) },
      1,
      { type: "restore-source" },
    ],
    [
      "is rolled back once the source serves",
      { state: "rolling-back" },
      1,
      { type: "end", state: "rolled-back", reason: "" },
    ],
    [
      "is cancelled if nothing was applied",
      { state: "rolling-back", step: 0 },
      1,
      { type: "end", state: "cancelled", reason: "" },
    ],
    [
      "doesn't write while the exposure is paused",
      { state: "rolling-back", exposure: { isPaused: true, isDeleted: false } },
      1,
      { type: "wait" },
    ],
  ])("%s", (_, fields, seconds, want) => {
    expect(planMove(progress(fields), at(seconds))).toEqual(want);
  });

  it.each<[string, Partial<MoveProgress>, number, string, RegExp]>([
    [
      "rolls back if the target doesn't serve in time",
      { servingSince: null, figures: figuresWith({ target: silent }) },
      60,
      "roll-back",
      /^west didn't serve within 60 s: 0 backends are up of at least 1\.$/,
    ],
    [
      "rolls back as soon as the backends are gone",
      { figures: figuresWith({ target: { ...serving, isServing: false, backendsUp: 0 } }) },
      1,
      "roll-back",
      /^A gate closed in west: 0 backends/,
    ],
    [
      "rolls back as soon as too many packets are dropped",
      { figures: figuresWith({ errorPercent: { value: 3.456, sampleCount: 3 } }) },
      16,
      "roll-back",
      /3\.46 % of packets dropped, at most 1 %/,
    ],
    [
      "rolls back if set-up takes too long",
      { figures: figuresWith({ latencyMsP99: { value: 1_200, sampleCount: 4 } }) },
      20,
      "roll-back",
      /1200 ms set-up, p99/,
    ],
    [
      "rolls back if the target has no capacity left",
      { figures: figuresWith({ cpuPercent: { value: 97, sampleCount: 4 } }) },
      20,
      "roll-back",
      /97 % CPU/,
    ],
    [
      "pauses if the source is unreachable",
      { figures: figuresWith({ source: silent }) },
      70,
      "pause",
      /^No balancer agent of demo reports\. The shares stay/,
    ],
    [
      "pauses if the target is unreachable",
      { figures: figuresWith({ target: silent }) },
      1,
      "pause",
      /^No balancer agent of west reports/,
    ],
    [
      "pauses with its exposure",
      { exposure: { isPaused: true, isDeleted: false } },
      70,
      "pause",
      /^The exposure is paused/,
    ],
    [
      "is cancelled with its exposure",
      { exposure: { isPaused: false, isDeleted: true } },
      1,
      "end",
      /^The exposure is being deleted\.$/,
    ],
  ])("%s, and states why", (_, fields, seconds, type, reason) => {
    expect(planMove(progress(fields), at(seconds))).toMatchObject({ type, reason: expect.stringMatching(reason) });
  });

  it("waits ten minutes for the source of a rollback, then ends with the shares as they are", () => {
    const waiting = progress({
      ...{ state: "rolling-back", share: 1, rollingBackSince: at(100) },
      figures: figuresWith({ source: silent }),
    });
    expect(planMove(waiting, at(699))).toEqual({ type: "restore-source" });
    expect(planMove(waiting, at(700))).toMatchObject({
      ...{ type: "end", state: "cancelled" },
      reason: expect.stringMatching(
        /^demo didn't serve within 10 minutes .* stay at 99 % and 1 %: change the placements/,
      ),
    });
    // The source gets its share back first.
    expect(planMove({ ...waiting, share: 100 }, at(700))).toEqual({ type: "restore-source" });
  });

  it("needs no source after the last step", () => {
    expect(planMove(progress({ step: 3, figures: figuresWith({ source: silent }) }), at(1))).toEqual({ type: "wait" });
  });

  it("judges no figure by fewer than three samples, and none that is missing or has no limit", () => {
    const figures = figuresWith({
      errorPercent: { value: 50, sampleCount: 2 },
      cpuPercent: { value: 99, sampleCount: 9 },
    });
    const judged = judgeGates({ ...limits, maxCpuPercent: null }, figures);
    expect(judged.map((each) => each.state)).toEqual(["open", "unmeasured", "unmeasured", "unmeasured"]);
  });
});

it("gives the target its share, and at the end the address and its own workload", () => {
  const workload = { kind: "deployment", namespace: "default", name: "shop" } as const;
  const other = { ...workload, name: "shop-west" };
  const before = { clusterId: "clu_a", workload, placements: [] };
  const ends = { before, toClusterId: "clu_b", workload: other };
  expect(placeAt(ends, 25)).toEqual({
    ...before,
    placements: [
      { clusterId: "clu_a", share: 75 },
      { clusterId: "clu_b", share: 25, workload: other },
    ],
  });
  expect(placeAt(ends, 100)).toEqual({ clusterId: "clu_b", workload: other, placements: [] });
});

describe("the steps", () => {
  it.each([
    [[5, 5, 100], [1], /5 % after 5 % is no step forward/],
    [[50, 25, 100], [1], /25 % after 50 %/],
    [[5, 50], [1], /the last step is 50 %: add one of 100 %/],
    [[0, 100], [0], /1 % at least/],
    [[], [], /two steps at least/],
    [[100], [], /two steps at least/],
  ])("%j are refused at their field", (steps, path, message) => {
    const { error } = moveSteps.safeParse(steps);
    expect(error?.issues[0]).toMatchObject({ path, message: expect.stringMatching(message) });
  });

  it("have a default", () => {
    const id = "0".repeat(26);
    expect(startMove.parse({ exposureId: `exp_${id}`, clusterId: `clu_${id}` })).toMatchObject({ watchSeconds: 60 });
    expect(moveSteps.parse(usualSteps)).toEqual([5, 25, 50, 100]);
    expect(usualGates).toEqual({ minBackendsUp: 1, maxErrorPercent: 1, maxLatencyMsP99: 1_000, maxCpuPercent: 85 });
  });
});
