import { mostInstances } from "@fairlead/domain/exposure";
import { describe, expect, it } from "vitest";
import { samplePod, sampleWorkload } from "../testing/sample-pod.ts";
import type { Pod } from "../view/objects.ts";
import { instanceLabel, podNameLabel } from "./marks.ts";
import { type Picked, pickInstances } from "./pick-instances.ts";

const id = "exp_1";
const label = instanceLabel(id);
const exposure = (kind: "stateful-set" | "deployment" | "daemon-set" | "selector", name = "shop") =>
  kind === "selector"
    ? { id, name, workload: { namespace: "default", kind, selector: { app: "shop" } } }
    : { id, name, workload: { namespace: "default", kind, name } };
const marked = (name: string, mark: string, other: Partial<Pod> = {}) =>
  samplePod(name, { labels: { [label]: mark }, ...other });
const summaryOf = ({ instances, marks }: Picked) => ({
  instances: instances.map(({ name, pod, ready }) => `${name} ${pod?.name ?? "missing"}${ready ? "" : " (not ready)"}`),
  marks: marks.map(({ pod, instance }) => `${pod.name} → ${instance}`),
});

describe("the instances of a stateful set", () => {
  it("are its defined pods, running or not, and need no mark", () => {
    const workload = { ...sampleWorkload("stateful-set", "shop", 3), firstOrdinal: 1 };
    const picked = pickInstances(exposure("stateful-set"), workload, [
      samplePod("shop-1"),
      samplePod("shop-3", { ready: false }),
    ]);
    expect(summaryOf(picked)).toEqual({
      instances: ["shop-1 shop-1", "shop-2 missing (not ready)", "shop-3 shop-3 (not ready)"],
      marks: [],
    });
    expect(picked.instances[0]?.selector).toEqual({ [podNameLabel]: "shop-1" });
  });

  it("are none without it", () => {
    expect(summaryOf(pickInstances(exposure("stateful-set"), null, [samplePod("shop-0")]))).toEqual({
      instances: [],
      marks: [],
    });
  });
});

describe("the instances of a deployment", () => {
  const pick = (replicas: number, ...pods: Pod[]) =>
    summaryOf(pickInstances(exposure("deployment"), sampleWorkload("deployment", "shop", replicas), pods));

  it("are numbered by age", () => {
    expect(pick(2, samplePod("a"), samplePod("b"))).toEqual({
      instances: ["shop-0 a", "shop-1 b"],
      marks: ["a → shop-0", "b → shop-1"],
    });
  });

  it("keep their numbers, and a new pod gets the number of a removed one", () => {
    expect(pick(3, marked("a", "shop-0"), marked("c", "shop-2"), samplePod("d"))).toEqual({
      instances: ["shop-0 a", "shop-1 d", "shop-2 c"],
      marks: ["d → shop-1"],
    });
  });

  it("keep a name for a missing pod", () => {
    expect(pick(3, marked("a", "shop-0"), marked("c", "shop-2"))).toEqual({
      instances: ["shop-0 a", "shop-1 missing (not ready)", "shop-2 c"],
      marks: [],
    });
  });

  it("hand over their number while terminating, and keep their mark for open connections", () => {
    expect(pick(1, marked("a", "shop-0", { terminating: true }), samplePod("b"))).toEqual({
      instances: ["shop-0 b"],
      marks: ["b → shop-0"],
    });
  });

  it("don't exceed the replicas: an extra pod of an update waits until a number is free", () => {
    expect(pick(1, marked("a", "shop-0"), samplePod("b"))).toEqual({ instances: ["shop-0 a"], marks: [] });
  });

  it("stay after scaling down until Kubernetes has chosen which pods to remove", () => {
    expect(pick(1, marked("a", "shop-0"), marked("b", "shop-1"))).toEqual({
      instances: ["shop-0 a", "shop-1 b"],
      marks: [],
    });
    expect(pick(1, marked("b", "shop-1"))).toEqual({ instances: ["shop-1 b"], marks: [] });
  });

  it("exclude ended pods, and ignore marks of other workloads", () => {
    expect(pick(1, marked("a", "shop-0", { ended: true }), marked("b", "other-7"))).toEqual({
      instances: ["shop-0 b"],
      marks: ["b → shop-0"],
    });
  });

  it("get distinct marks again if two have the same", () => {
    expect(pick(2, marked("a", "shop-0"), marked("b", "shop-0"))).toEqual({
      instances: ["shop-0 a", "shop-1 b"],
      marks: ["b → shop-1"],
    });
  });

  it("have marks that fit into a label, also with a long name", () => {
    const name = "a".repeat(80);
    const picked = pickInstances(exposure("deployment", name), sampleWorkload("deployment", name, 1), [samplePod("p")]);
    const [mark] = picked.marks;
    expect(mark?.instance).toMatch(/^a+-[0-9a-f]{8}-0$/);
    expect(mark?.instance?.length).toBeLessThanOrEqual(63);
    const again = pickInstances(exposure("deployment", name), sampleWorkload("deployment", name, 1), [
      marked("p", mark?.instance ?? ""),
    ]);
    expect(again.marks).toEqual([]);
  });
});

describe("the instances of a daemon set", () => {
  it("are named after their nodes", () => {
    const before = samplePod("x", { nodeName: "node-b", terminating: true });
    const picked = pickInstances(exposure("daemon-set"), sampleWorkload("daemon-set", "shop", 2), [
      before,
      samplePod("y", { nodeName: "node-b" }),
      samplePod("z", { nodeName: "node-a" }),
      samplePod("w", { nodeName: "" }),
    ]);
    expect(summaryOf(picked)).toEqual({
      instances: ["shop-node-a z", "shop-node-b y"],
      marks: ["y → shop-node-b", "z → shop-node-a"],
    });
  });
});

describe("the instances of a selector", () => {
  it("are all matching pods", () => {
    expect(summaryOf(pickInstances(exposure("selector", "games"), null, [samplePod("a"), samplePod("b")]))).toEqual({
      instances: ["games-0 a", "games-1 b"],
      marks: ["a → games-0", "b → games-1"],
    });
    expect(summaryOf(pickInstances(exposure("selector", "games"), null, []))).toEqual({ instances: [], marks: [] });
  });
});

describe("more instances than one exposure may have", () => {
  const pods = Array.from({ length: 5_000 }, (_, i) => samplePod(`shop-${i}`));

  it("are a selector's surplus, and numbered pods keep their numbers", () => {
    const first = pickInstances(exposure("selector"), null, pods);
    expect([first.instances.length, first.marks.length, first.surplus]).toEqual([mostInstances, mostInstances, 3_000]);
    const later = pods.map((pod, i) => (i < 3_000 ? pod : { ...pod, labels: { [label]: `shop-${i - 3_000}` } }));
    const { instances, marks, surplus } = pickInstances(exposure("selector"), null, later);
    expect([instances[0]?.pod?.name, marks, surplus]).toEqual(["shop-3000", [], 3_000]);
  });

  it("are a workload's surplus", () => {
    for (const kind of ["stateful-set", "deployment"] as const) {
      const { instances, surplus } = pickInstances(exposure(kind), sampleWorkload(kind, "shop", 5_000), pods);
      expect([kind, instances.length, surplus]).toEqual([kind, mostInstances, 3_000]);
    }
  });

  it("doesn't count the extra pod of an update", () => {
    const workload = sampleWorkload("deployment", "shop", 2);
    const { instances, surplus } = pickInstances(exposure("deployment"), workload, pods.slice(0, 3));
    expect([instances.length, surplus]).toEqual([2, 0]);
  });

  it("are processed in linear time", () => {
    const withinMs = 500;
    const mostTries = 3;
    const tookMs: number[] = [];
    // A stall of the machine makes one try slow and never makes one fast, so the fastest counts.
    while (tookMs.length < mostTries && !tookMs.some((each) => each < withinMs)) {
      const began = performance.now();
      pickInstances(exposure("selector"), null, pods);
      pickInstances(exposure("deployment"), sampleWorkload("deployment", "shop", 5_000), []);
      tookMs.push(performance.now() - began);
    }
    // Comparing all pairs would be 25 million comparisons.
    expect(Math.min(...tookMs), `${tookMs.map(Math.round).join(", ")} ms`).toBeLessThan(withinMs);
  });
});
