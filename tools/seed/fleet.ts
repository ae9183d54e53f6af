import {
  type Condition,
  type NodeFacts,
  newId,
  nodeSettings,
  numberToAddress,
  type StrategyType,
} from "@fairlead/domain";
import type { Random } from "./random.ts";

export type Sizes = { clusters: number; loadBalancers: number; agents: number };
export type Rows = Record<string, Record<string, unknown>[]>;

const regions = ["fra", "ams", "lon", "par", "sto", "iad", "sfo", "sin", "nrt", "syd"] as const;
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

/** planFleet invents a large organisation: most of it well, some of it in each of the ways that things go wrong. */
export function planFleet(organizationId: string, sizes: Sizes, random: Random, now: Date): Rows {
  const rows: Rows = {};
  const add = (table: string, row: Record<string, unknown>) => {
    rows[table] ??= [];
    rows[table].push(row);
  };
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

  for (let c = 0; c < sizes.clusters; c++) {
    const region = regions[c % regions.length] ?? regions[0];
    const clusterId = newId("cluster", now);
    const kind = random.chance(0.8) ? "kubernetes" : "machines";
    add("cluster", {
      id: clusterId,
      organization_id: organizationId,
      name: `${region}-${String(Math.floor(c / regions.length) + 1).padStart(2, "0")}`,
      kind,
      region,
      labels: { tier: random.pick(["prod", "prod", "staging"]) },
      generation: 1,
      created_at: ago(random.integer(20_000, 400_000)),
      updated_at: ago(random.integer(0, 20_000)),
    });
    const poolId = newId("addressPool", now);
    const poolBase = (10n << 24n) + (BigInt(c) << 12n);
    add("address_pool", {
      id: poolId,
      organization_id: organizationId,
      cluster_id: clusterId,
      name: "public",
      prefix: `${numberToAddress(poolBase, 4)}/20`,
      created_at: ago(400_000),
    });
    const nodeIds = addNodes(add, {
      organizationId,
      clusterId,
      region,
      count: share(sizes.agents, sizes.clusters, c),
      random,
      now,
    });
    addExposures(add, {
      organizationId,
      clusterId,
      poolId,
      poolBase,
      nodeIds,
      count: share(sizes.loadBalancers, sizes.clusters, c),
      random,
      now,
    });
  }
  return rows;
}

type Add = (table: string, row: Record<string, unknown>) => void;

function share(total: number, parts: number, part: number): number {
  return Math.floor(((part + 1) * total) / parts) - Math.floor((part * total) / parts);
}

function addNodes(
  add: Add,
  at: { organizationId: string; clusterId: string; region: string; count: number; random: Random; now: Date },
): string[] {
  const { organizationId, clusterId, random, now } = at;
  const settings = nodeSettings.parse({});
  return Array.from({ length: at.count }, (_, n) => {
    const nodeId = newId("node", now);
    const agentId = newId("agent", now);
    const name = `${at.region}-node-${n + 1}`;
    const silent = random.chance(0.02);
    const lastReportAt = new Date(
      now.getTime() - (silent ? random.integer(60, 90_000) * 1_000 : random.integer(0, 4_000)),
    );
    const cpuCount = random.pick([4, 8, 16, 32, 64]);
    const memoryBytes = cpuCount * 4 * 2 ** 30;
    add("node", {
      id: nodeId,
      organization_id: organizationId,
      cluster_id: clusterId,
      name,
      settings,
      generation: 1,
      created_at: now,
      updated_at: now,
    });
    add("agent", {
      id: agentId,
      organization_id: organizationId,
      node_id: nodeId,
      roles: ["node"],
      certificate_serial: agentId,
      certificate_expires_at: new Date(now.getTime() + 30 * 86_400_000),
      enrolled_at: now,
    });
    const config = {
      reportIntervalMs: settings.reportIntervalMs,
      node: { sampleIntervalMs: settings.sampleIntervalMs, excludedInterfaces: settings.excludedInterfaces },
    };
    add("node_config", { agent_id: agentId, node_id: nodeId, revision: 1, digest: "seed", config, compiled_at: now });
    add("node_status", {
      agent_id: agentId,
      node_id: nodeId,
      boot_id: agentId,
      sequence: random.integer(100, 9_999),
      observed_revision: random.chance(0.01) ? 0 : 1,
      config_error: "",
      corrections: 0,
      dropped_reports: 0,
      version: random.chance(0.9) ? "0.1.0" : "0.0.9",
      facts: facts(name, cpuCount, memoryBytes, random, now),
      cpu_utilization_ratio: random.next() ** 2,
      memory_used_ratio: 0.2 + random.next() * 0.7,
      load1: random.next() * cpuCount,
      last_report_at: lastReportAt,
      silent_since: silent ? lastReportAt : null,
    });
    return nodeId;
  });
}

function facts(hostname: string, cpuCount: number, memoryBytes: number, random: Random, now: Date): NodeFacts {
  return {
    hostname,
    os: "Debian GNU/Linux 13 (trixie)",
    kernel: random.pick(["6.12.41-amd64", "6.12.38-amd64", "6.1.0-37-amd64"]),
    arch: "amd64",
    cpuCount,
    cpuModel: random.pick(["AMD EPYC 9354", "Intel Xeon Gold 6430", "Ampere Altra Q80-30"]),
    memoryBytes,
    bootedAt: new Date(now.getTime() - random.integer(1, 90) * 86_400_000),
    interfaces: [
      {
        name: "eth0",
        mac: "02:00:00:00:00:01",
        mtu: 1500,
        up: true,
        addresses: [`172.20.${random.integer(0, 255)}.${random.integer(1, 254)}/16`],
        speedBps: 25e9,
      },
    ],
    kernelFeatures: ["tcx", "xdp", "nftables", "network-namespaces"].map((name) => ({
      name,
      available: true,
      reason: "",
    })),
  };
}

function addExposures(
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
          : { replicas: 3, poolId: at.poolId, ...(type === "adaptive" ? { thresholdPercent: 90 } : {}) };
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
  for (let i = 0; i < 3; i++) {
    if (ours)
      add("replica", {
        id: newId("replica", now),
        load_balancer_id: id,
        node_id: plan.nodeIds[(i * 7) % Math.max(1, plan.nodeIds.length)] ?? null,
        ordinal: i,
        ready: phase === "serving" || (phase === "degraded" && i < 2),
        message: "",
        observed_at: now,
      });
    add("backend", {
      id: newId("backend", now),
      load_balancer_id: id,
      instance: `${plan.name}-${i}`,
      address: `10.${random.integer(128, 255)}.${random.integer(0, 255)}.${10 + i}`,
      port: plan.port,
      weight: 1,
      state: "active",
      health: up ? "up" : "down",
      observed_at: now,
    });
  }
}
