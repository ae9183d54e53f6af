import { describe, expect, it } from "vitest";
import { createExposure } from "../exposure/exposure.ts";
import { newId } from "../id-text.ts";
import { findAddressingProblem, instanceBalancerOf } from "./instance-balancer.ts";

const poolId = newId("addressPool");

describe("our own balancer for each instance", () => {
  it("has a pool, and two replicas by default", () => {
    expect(instanceBalancerOf({ type: "per-replica", addressing: "balancer", poolId })).toEqual({
      replicas: 2,
      poolId,
    });
    expect(instanceBalancerOf({ type: "per-replica", addressing: "balancer", poolId, replicas: 3 })).toEqual({
      replicas: 3,
      poolId,
    });
    expect(instanceBalancerOf({ type: "per-replica", addressing: "dedicated" })).toBeNull();
    expect(instanceBalancerOf({ type: "ecmp", replicas: 2, poolId })).toBeNull();
  });

  it.each([
    [{ addressing: "balancer" as const }, "poolId", "choose one of the cluster's"],
    [{ addressing: "dedicated" as const, poolId }, "poolId", "leave it out, or choose the addressing balancer"],
    [{ addressing: "node-port" as const, replicas: 2 }, "replicas", "leave it out, or choose the addressing balancer"],
  ])("is rejected as %j, with the field and what to do", (given, field, remedy) => {
    const strategy = { type: "per-replica" as const, ...given };
    expect(findAddressingProblem(strategy)).toEqual({
      path: ["strategy", field],
      message: expect.stringContaining(remedy),
    });
    const spec = { clusterId: newId("cluster"), name: "redis", workload: { kind: "stateful-set", name: "redis" } };
    const { error } = createExposure.safeParse({ ...spec, ports: [{ port: 6379 }], strategy });
    expect(error?.issues.map((each) => each.path.join("."))).toEqual([`strategy.${field}`]);
  });
});
