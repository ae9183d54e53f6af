import { newId } from "@fairlead/domain";
import { type NodeFacts, nodeSettings } from "@fairlead/domain/node";
import type { Random } from "./random.ts";
import type { Add } from "./rows.ts";

/** addNodes gives a cluster its nodes, each with an agent: a few of them silent, a few behind, some of an older version. */
export function addNodes(
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
    kernelFeatures: ["tcx", "xdp", "nftables", "network-namespaces", "pressure"].map((name) => ({
      name,
      available: true,
      reason: "",
    })),
  };
}
