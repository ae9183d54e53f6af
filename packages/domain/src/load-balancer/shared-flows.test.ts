import { expect, it } from "vitest";
import type { Strategy } from "../exposure/index.ts";
import { mostBackends } from "./plan-backends.ts";
import { explainUnshared, fitsService, type UnsharingAgent } from "./shared-flows.ts";

type Ecmp = Extract<Strategy, { type: "ecmp" }>;
const clusters = [
  { name: "east", kind: "machines" as const },
  { name: "west", kind: "kubernetes" as const },
];

it.each<[string, Partial<Ecmp>, UnsharingAgent | null, string]>([
  ["gue", { delivery: "gue" }, null, ""],
  ["tunnel by xdp", { delivery: "tunnel", engine: "xdp" }, null, ""],
  [
    "direct",
    { delivery: "direct" },
    null,
    "east uses the delivery direct, which can't reach backends of another cluster. Set",
  ],
  ["no delivery", {}, null, "east uses the engine's own delivery, which"],
  ["tunnel by ipvs", { delivery: "tunnel", engine: "ipvs" }, null, "the engine ipvs doesn't share"],
  [
    "an outdated agent",
    { delivery: "gue" },
    { nodeName: "n1", isOutdated: true },
    "n1 break: its agent is outdated. Update",
  ],
  ["no flow address", { delivery: "gue" }, { nodeName: "n1", isOutdated: false }, "Set its --flows-listen"],
])("names what breaks when connections move between clusters, and the cure: %s", (_, options, unsharing, want) => {
  const strategy: Ecmp = { type: "ecmp", replicas: 2, poolId: "pool_a", ...options };
  const got = explainUnshared(strategy, clusters, unsharing);
  if (want === "") expect(got).toBe("");
  else expect(got).toContain(want);
});

it("limits the backends of each port, with those of other clusters", () => {
  const backends = (count: number, port: number) => Array.from({ length: count }, () => ({ protocol: "tcp", port }));
  expect(fitsService([...backends(mostBackends, 80), ...backends(mostBackends, 443)])).toBe(true);
  expect(fitsService(backends(mostBackends + 1, 80))).toBe(false);
});
