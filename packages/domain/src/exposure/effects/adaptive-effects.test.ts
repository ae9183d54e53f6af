import { expect, it } from "vitest";
import type { AdaptiveStrategy } from "../strategy.ts";
import { describeEffects } from "./describe-effects.ts";
import type { SpecForEffects } from "./effect.ts";

const spec = (change: Partial<AdaptiveStrategy> = {}): SpecForEffects => ({
  workload: { namespace: "shop", kind: "deployment", name: "web" },
  ports: [{ port: 80, protocol: "tcp" }],
  strategy: { type: "adaptive", poolId: "pool_a", ...change },
});

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
])("describes what %s does to connections with the strategy adaptive", (_, before, after, effects) => {
  expect(describeEffects(before, after)).toEqual(effects);
});
