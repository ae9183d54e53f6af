import { expect, it } from "vitest";
import { adaptiveFacts } from "./adaptive-facts.ts";

const strategy = { type: "adaptive", poolId: "pool_1" } as const;
const check = ["Health check", expect.any(String)];

it("shows the drain time however connections to removed instances end", () => {
  expect(adaptiveFacts(strategy, null)).toEqual([
    check,
    ["Clients outside", "don't reach it"],
    ["Standby instances", "none"],
    ["Drain time", "60 s"],
    ["Connections to removed instances", "last until a side closes them"],
  ]);
  const set = { ...strategy, standby: { tier: "spare" }, endsConnections: true, drainSeconds: 5 };
  const outside = { replicas: 2, delivery: "nat" } as const;
  expect(adaptiveFacts({ ...set, outside }, null)).toEqual([
    check,
    ["Clients outside", "by 2 balancers"],
    ["Delivery", "NAT"],
    ["Standby instances", "those with tier=spare"],
    ["Drain time", "5 s"],
    ["Connections to removed instances", "end after the drain time"],
  ]);
});
