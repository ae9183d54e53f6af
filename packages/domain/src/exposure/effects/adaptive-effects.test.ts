import { expect, it } from "vitest";
import type { AdaptiveStrategy } from "../strategy.ts";
import { describeEffects } from "./describe-effects.ts";
import type { SpecForEffects } from "./effect.ts";

const spec = (change: Partial<AdaptiveStrategy> = {}): SpecForEffects => ({
  workload: { namespace: "shop", kind: "deployment", name: "web" },
  ports: [{ port: 80, protocol: "tcp" }],
  strategy: { type: "adaptive", poolId: "pool_a", ...change },
});

const outside = (replicas: number, delivery?: "nat") =>
  spec({ outside: { replicas, ...(delivery ? { delivery } : {}) } });

const otherAddress =
  "Address pool: the address changes. Clients must use the new one; connections to the former one end.";
const removedEnd = "Removed instances: connections to instances that were already removed end.";
const drainingEnd = "Drain time: connections to instances that are being removed may end.";

it.each<[string, SpecForEffects, SpecForEffects, string[]]>([
  ["another pool", spec(), spec({ poolId: "pool_b" }), [otherAddress]],
  ["standby instances", spec(), spec({ standby: { tier: "spare" } }), []],
  ["an end of connections", spec(), spec({ endsConnections: true }), [removedEnd]],
  ["no end any more", spec({ endsConnections: true }), spec(), []],
  [
    "a shorter drain time",
    spec({ endsConnections: true }),
    spec({ endsConnections: true, drainSeconds: 5 }),
    [drainingEnd],
  ],
  ["a shorter drain time without an end", spec(), spec({ drainSeconds: 5 }), []],
  ["clients outside", spec(), outside(2), []],
  [
    "no clients outside any more",
    outside(2),
    spec(),
    ["Clients outside: they lose access, and their connections end."],
  ],
  ["fewer balancers", outside(2), outside(1), ["Clients outside: connections through removed balancers end."]],
  [
    "more balancers",
    outside(2),
    outside(3),
    ["Clients outside: routers may move connections to added balancers. These end."],
  ],
  ["another delivery", outside(2), outside(2, "nat"), ["Clients outside: existing connections may break."]],
])("describes what %s does to connections with the strategy adaptive", (_, before, after, effects) => {
  expect(describeEffects(before, after)).toEqual(effects);
});
