import { describe, expect, it } from "vitest";
import type { ExperimentReplica } from "./experiment.ts";
import { type ExperimentProgress, planExperiment, sightOf } from "./plan-experiment.ts";

const startedAt = new Date("2026-11-20T12:00:00Z");
const after = (seconds: number) => new Date(startedAt.getTime() + seconds * 1_000);
const web = "203.0.113.1/32";
const replica = (name: string, prefixes = [web]): ExperimentReplica => ({
  agentId: `agt_${name}`,
  nodeId: `node_${name}`,
  nodeName: name,
  hops: Object.fromEntries(prefixes.map((each) => [each, `10.0.0.${name}`])),
});
const four = ["1", "2", "3", "4"].map((name) => replica(name));
const progress = (fields: Partial<ExperimentProgress> = {}): ExperimentProgress => ({
  startedAt,
  changeEverySeconds: 20,
  durationSeconds: 600,
  fewestReplicas: 1,
  seed: 7,
  replicas: four,
  drained: [],
  lastNumber: null,
  trouble: null,
  ...fields,
});

/** run executes all changes of an experiment, with one evaluation per second. */
function run(from: ExperimentProgress): { number: number; drained: string[] }[] {
  const changes: { number: number; drained: string[] }[] = [];
  let now = from;
  for (let second = 0; ; second++) {
    const plan = planExperiment(now, after(second));
    if (plan.type === "end") return changes;
    if (plan.type !== "change") continue;
    changes.push({ number: plan.number, drained: plan.drained });
    now = { ...now, drained: plan.drained, lastNumber: plan.number };
  }
}

describe("an experiment", () => {
  it("starts without a change, and then changes at each interval until its end", () => {
    expect(planExperiment(progress(), after(19.9))).toEqual({ type: "wait", until: after(20) });
    expect(run(progress()).map((each) => each.number)).toEqual(Array.from({ length: 29 }, (_, i) => i + 1));
    expect(planExperiment(progress({ lastNumber: 29 }), after(600))).toEqual({
      type: "end",
      state: "finished",
      reason: "",
    });
  });

  it("makes the same choices for the same seed, and different ones for another seed", () => {
    expect(run(progress())).toEqual(run(progress()));
    expect(run(progress())).not.toEqual(run(progress({ seed: 8 })));
  });

  it("changes the replica count each time, never below the minimum, and reaches every count", () => {
    const counts = [
      4,
      ...run(progress({ fewestReplicas: 2, durationSeconds: 7_200 })).map((each) => 4 - each.drained.length),
    ];
    expect(new Set(counts)).toEqual(new Set([2, 3, 4]));
    for (const [i, count] of counts.slice(1).entries()) expect(count).not.toBe(counts[i]);
  });

  it("moves as few replicas as possible", () => {
    let before: string[] = [];
    for (const { drained } of run(progress({ durationSeconds: 3_600 }))) {
      const [fewer, more] = before.length < drained.length ? [before, drained] : [drained, before];
      expect(more).toEqual(expect.arrayContaining(fewer));
      before = drained;
    }
  });

  it("keeps a replica for every address, even if not all replicas announce it", () => {
    const dns = "203.0.113.2/32";
    const some = [replica("1", [web, dns]), replica("2", [web, dns]), replica("3"), replica("4")];
    for (const { drained } of run(progress({ replicas: some, durationSeconds: 7_200 })))
      expect(drained).not.toEqual(expect.arrayContaining(["agt_1", "agt_2"]));
  });

  it("continues on schedule after a pause, with one change instead of all missed ones", () => {
    expect(planExperiment(progress({ lastNumber: 2 }), after(171))).toMatchObject({ type: "change", number: 8 });
    expect(planExperiment(progress({ lastNumber: 8 }), after(171))).toEqual({ type: "wait", until: after(180) });
    expect(planExperiment(progress({ lastNumber: 2 }), after(7_000))).toMatchObject({ type: "end", state: "finished" });
  });

  it("fails as soon as something else affects the replica count", () => {
    const reason = "node-1 is silent.";
    expect(planExperiment(progress({ trouble: reason }), after(1))).toEqual({ type: "end", state: "failed", reason });
  });

  it("changes nothing if all replicas have to serve", () => {
    expect(planExperiment(progress({ fewestReplicas: 4 }), after(21))).toEqual({ type: "wait", until: after(40) });
  });
});

describe("the routes of kernels", () => {
  const all = four.map((each) => each.agentId);
  const route = (hops: string[], fields = {}) => ({
    routerId: "r1",
    prefix: web,
    hops,
    changedAt: after(3),
    ...fields,
  });

  it("match if every route at every router leads to the serving replicas only", () => {
    const hops = ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"];
    expect(sightOf(four, all, [route(hops)], ["r1"])).toEqual({
      replicas: all,
      changedAt: after(3),
      isAsDesired: true,
    });
    expect(sightOf(four, all, [route(hops)], ["r1", "r2"]).isAsDesired).toBe(false);
    expect(sightOf(four, all.slice(1), [route(hops)], ["r1"]).isAsDesired).toBe(false);
    expect(sightOf(four, all, [route(hops.slice(1))], ["r1"])).toMatchObject({
      replicas: all.slice(1),
      isAsDesired: false,
    });
    expect(sightOf(four, all, [route([...hops, "10.0.0.9"])], ["r1"]).isAsDesired).toBe(false);
  });

  it("have the time of the newest change", () => {
    const routes = [route(["10.0.0.1"]), route(["10.0.0.1"], { routerId: "r2", changedAt: after(5) })];
    expect(sightOf(four, ["agt_1"], routes, ["r1", "r2"])).toEqual({
      replicas: ["agt_1"],
      changedAt: after(5),
      isAsDesired: true,
    });
  });

  it("are empty if no router reports", () => {
    expect(sightOf(four, all, [], [])).toEqual({ replicas: [], changedAt: null, isAsDesired: false });
  });
});
