import { expect, it } from "vitest";
import { adaptiveFacts } from "./adaptive-facts.ts";

const strategy = { type: "adaptive", poolId: "pool_1" } as const;
const check = ["Health check", expect.any(String)];

it("shows the drain time however connections to removed instances end", () => {
  expect(adaptiveFacts(strategy, null)).toEqual([
    check,
    ["Standby instances", "none"],
    ["Drain time", "60 s"],
    ["Connections to removed instances", "last until a side closes them"],
  ]);
  const set = { ...strategy, standby: { tier: "spare" }, endsConnections: true, drainSeconds: 5 };
  expect(adaptiveFacts(set, null)).toEqual([
    check,
    ["Standby instances", "those with tier=spare"],
    ["Drain time", "5 s"],
    ["Connections to removed instances", "end after the drain time"],
  ]);
});
