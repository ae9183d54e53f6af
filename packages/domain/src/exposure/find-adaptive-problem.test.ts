import { expect, it } from "vitest";
import { findAdaptiveProblem } from "./find-adaptive-problem.ts";
import type { AdaptiveStrategy } from "./strategy.ts";

const strategy = (delivery?: "direct" | "nat"): AdaptiveStrategy => ({
  ...{ type: "adaptive", poolId: "pool_1", outside: { replicas: 2, ...(delivery ? { delivery } : {}) } },
});

it("allows another port at the instance only with a delivery that can change it", () => {
  const moved = [{ port: 80, targetPort: 8080 }];
  expect(findAdaptiveProblem(strategy("direct"), moved)).toEqual({
    path: ["strategy", "outside", "delivery"],
    message:
      "direct leaves the port as it is, so 80 → 8080 is not possible: choose nat, or expose the target port itself",
  });
  expect(findAdaptiveProblem(strategy("direct"), [{ port: 80 }])).toBeNull();
  for (const each of [strategy("nat"), strategy(), { type: "adaptive", poolId: "pool_1" } as const])
    expect(findAdaptiveProblem(each, moved)).toBeNull();
});

it("rejects two ports with one target", () => {
  const ports = [{ port: 80, targetPort: 8080 }, { port: 8080 }];
  expect(findAdaptiveProblem(strategy("nat"), ports)?.path).toEqual(["ports", 1, "targetPort"]);
});
