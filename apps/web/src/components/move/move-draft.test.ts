import { startMove, usualGates, usualSteps } from "@fairlead/domain/move";
import { expect, it } from "vitest";
import { moveDraft, readMoveDraft } from "./move-draft.ts";

const id = "0".repeat(26);
const clusterId = `clu_${id}`;
const workload = { kind: "deployment", namespace: "default", name: "shop" } as const;
const exposure = { id: `exp_${id}`, workload };

it("reads another workload name in the target, of the same kind and namespace", () => {
  const read = readMoveDraft(exposure, { ...moveDraft, clusterId, workloadName: " shop-new " });
  expect(read).toMatchObject({ spec: { workload: { ...workload, name: "shop-new" } } });
  expect(readMoveDraft(exposure, { ...moveDraft, clusterId })).not.toHaveProperty("spec.workload");
});

it("reads the defaults of the API, and an empty limit as none", () => {
  const read = readMoveDraft(exposure, { ...moveDraft, clusterId });
  expect("spec" in read && startMove.parse(read.spec)).toEqual(
    startMove.parse({ exposureId: `exp_${id}`, clusterId, steps: usualSteps, gates: usualGates }),
  );
  const open = readMoveDraft(exposure, { ...moveDraft, clusterId, latency: " ", steps: "10 100" });
  expect(open).toMatchObject({ spec: { steps: [10, 100], gates: { maxLatencyMsP99: null } } });
});

it.each([
  [{ clusterId: "" }, "clusterId"],
  [{ steps: "5, x" }, "steps"],
  [{ watch: "1.5" }, "watchSeconds"],
  [{ backends: "" }, "gates.minBackendsUp"],
  [{ cpu: "much" }, "gates.maxCpuPercent"],
])("names the field of %j", (wrong, path) => {
  const read = readMoveDraft(exposure, { ...moveDraft, clusterId, ...wrong });
  expect("problems" in read && Object.keys(read.problems)).toEqual([path]);
});
