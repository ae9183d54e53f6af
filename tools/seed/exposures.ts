import { newId } from "@fairlead/domain";
import { addressToNumber, numberToAddress } from "@fairlead/domain/address";
import type { Condition, StrategyType } from "@fairlead/domain/exposure";
import type { Random } from "./random.ts";
import type { Add } from "./rows.ts";

const apps = [
  "cache",
  "orders",
  "checkout",
  "search",
  "ledger",
  "sessions",
  "events",
  "billing",
  "catalog",
  "match",
  "chat",
  "gateway",
] as const;
const workloads = ["redis", "kafka", "infinispan", "postgres", "web", "api", "grpc", "game"] as const;

/** addExposures gives a cluster the requested number of load balancers, behind exposures of every strategy and phase. */
export function addExposures(
  add: Add,
  at: {
    organizationId: string;
    clusterId: string;
    poolId: string;
    poolBase: bigint;
    nodeIds: string[];
    count: number;
    random: Random;
    now: Date;
  },
): void {
  const { organizationId, clusterId, random, now } = at;
  for (let made = 0, number = 1; made < at.count; number++) {
    const exposureId = newId("exposure", now);
    const type: StrategyType = random.pick(["per-replica", "ecmp", "ecmp", "session", "adaptive", "cloud"]);
    const balancers = type === "per-replica" ? Math.min(random.integer(3, 9), at.count - made) : 1;
    const phase = random.pick<keyof typeof sentences>([
      "serving",
      "serving",
      "serving",
      "serving",
      "serving",
      "serving",
      "serving",
      "degraded",
      "pending",
      "failed",
    ]);
    const name = `${random.pick(apps)}-${random.pick(workloads)}-${number}`;
    const port = random.pick([443, 6379, 9092, 11222, 5432, 8080]);
    const createdAt = new Date(now.getTime() - random.integer(60, 300_000) * 60_000);
    const parameters =
      type === "per-replica"
        ? { addressing: "dedicated" }
        : type === "cloud"
          ? { provider: "aws", scheme: "public" }
          : { ...(type === "adaptive" ? {} : { replicas: 3 }), poolId: at.poolId };
    add("exposure", {
      id: exposureId,
      organization_id: organizationId,
      cluster_id: clusterId,
      name,
      workload: { namespace: "default", kind: type === "per-replica" ? "stateful-set" : "deployment", name },
      ports: [{ name: "main", port, protocol: "tcp" }],
      strategy: type,
      parameters,
      labels: {},
      generation: 1,
      created_at: createdAt,
      updated_at: createdAt,
    });
    const conditions: Condition[] = [
      {
        type: "Ready",
        status: phase === "serving" ? "true" : "false",
        reason: sentences[phase].reason,
        message: sentences[phase].message,
        changedAt: createdAt,
      },
    ];
    add("exposure_status", {
      exposure_id: exposureId,
      observed_generation: phase === "pending" ? 0 : 1,
      phase,
      message: sentences[phase].message,
      conditions,
      applied: phase !== "pending",
      map_generation: type === "per-replica" && phase !== "pending" ? 1 : 0,
      map_changed_at: createdAt,
      observed_at: now,
    });
    for (let i = 0; i < balancers; i++, made++) {
      const instance = type === "per-replica" ? `${name}-${i}` : null;
      addLoadBalancer(add, {
        ...at,
        exposureId,
        name: instance ?? name,
        instance,
        type,
        phase,
        port,
        address: at.poolBase + 1n + BigInt(made),
        createdAt,
      });
    }
    if (phase === "failed")
      add("event", {
        id: newId("event", createdAt),
        organization_id: organizationId,
        cluster_id: clusterId,
        at: createdAt,
        severity: "problem",
        reason: sentences.failed.reason,
        message: sentences.failed.message,
        subject_kind: "exposure",
        subject_id: exposureId,
        subject_name: name,
      });
  }
}

const sentences = {
  serving: { reason: "Serving", message: "Serving on all replicas." },
  degraded: { reason: "ReplicaMissing", message: "Serving on 2 of 3 replicas." },
  pending: { reason: "NotReconciled", message: "Waiting for its first reconciliation." },
  failed: { reason: "NoReadyBackend", message: "No backend is up, so nothing is served." },
};

/** Pools of balancers are in 10.0.0.0/8; pods have addresses outside of it. */
const podsFirst = addressToNumber("90.0.0.0", 4);

type BalancerPlan = {
  organizationId: string;
  clusterId: string;
  poolId: string;
  nodeIds: string[];
  exposureId: string;
  name: string;
  instance: string | null;
  type: StrategyType;
  phase: keyof typeof sentences;
  port: number;
  address: bigint;
  createdAt: Date;
  random: Random;
  now: Date;
};

function addLoadBalancer(add: Add, plan: BalancerPlan): void {
  const { random, now, type, phase } = plan;
  const id = newId("loadBalancer", now);
  const ours = type !== "cloud" && type !== "per-replica";
  const up = phase === "failed" ? 0 : 3;
  add("load_balancer", {
    id,
    organization_id: plan.organizationId,
    cluster_id: plan.clusterId,
    exposure_id: plan.exposureId,
    name: plan.name,
    kind: ours ? "fairlead" : "cloud",
    instance: plan.instance,
    created_at: plan.createdAt,
    updated_at: plan.createdAt,
  });
  const providerAddress =
    ours || phase === "pending" ? null : `198.51.${random.integer(0, 255)}.${random.integer(1, 254)}`;
  add("load_balancer_status", {
    load_balancer_id: id,
    phase,
    message: sentences[phase].message,
    address: providerAddress,
    replicas_ready: ours ? (phase === "degraded" ? 2 : phase === "serving" ? 3 : 0) : 0,
    backends_up: up,
    backends_total: 3,
    observed_at: now,
  });
  if (ours)
    add("virtual_address", {
      id: newId("virtualAddress", now),
      organization_id: plan.organizationId,
      pool_id: plan.poolId,
      load_balancer_id: id,
      address: numberToAddress(plan.address, 4),
      allocated_at: plan.createdAt,
    });
  if (plan.instance !== null && providerAddress !== null)
    add("address_mapping", {
      id: newId("addressMapping", now),
      organization_id: plan.organizationId,
      exposure_id: plan.exposureId,
      load_balancer_id: id,
      instance: plan.instance,
      pod: plan.instance,
      node: `worker-${Number(plan.address % 9n) + 1}`,
      protocol: "tcp",
      // Addresses of pods are unique within an exposure, as those of balancers are.
      internal_address: numberToAddress(plan.address + podsFirst, 4),
      internal_port: plan.port,
      external_address: providerAddress,
      external_port: plan.port,
      ready: up > 0 && !(phase === "degraded" && plan.instance.endsWith("-0")),
      since: plan.createdAt,
      generation: 1,
      observed_at: now,
    });
  for (let i = 0; i < 3; i++) {
    if (ours) {
      const replicaId = newId("replica", now);
      add("replica", { id: replicaId, load_balancer_id: id, ordinal: i });
      add("replica_status", {
        replica_id: replicaId,
        node_id: plan.nodeIds[(i * 7) % Math.max(1, plan.nodeIds.length)] ?? null,
        ready: phase === "serving" || (phase === "degraded" && i < 2),
        message: "",
        observed_at: now,
      });
    }
    add("backend", {
      id: newId("backend", now),
      load_balancer_id: id,
      instance: `${plan.name}-${i}`,
      protocol: "tcp",
      address: `10.${random.integer(128, 255)}.${random.integer(0, 255)}.${10 + i}`,
      port: plan.port,
      weight: 1,
      state: "active",
      health: up ? "up" : "down",
      observed_at: now,
    });
  }
}
