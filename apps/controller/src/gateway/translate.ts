import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  KeepAliveSchema,
  type NodeFacts as NodeFactsMessage,
  type ReportRequest,
  type WatchResponse,
  WatchResponseSchema,
} from "@fairlead/agent-protocol";
import type { NodeFacts } from "@fairlead/domain/node";
import type { AgentConfig, AgentReport, SecretBox } from "@fairlead/services/gateway";
import { adaptiveSeries } from "./adaptive/adaptive-series.ts";
import { toAdaptiveRole, toAdaptiveStatus } from "./adaptive/translate-adaptive.ts";
import { toBalancer, toEvents, toInventory, toRole } from "./balancers/translate-balancer.ts";
import { toBgp, toReflector, toRouter, toSpeaker } from "./routing/translate-bgp.ts";
import { toBackendRole, toBackendStatus } from "./sessions/translate-session.ts";

// Converts between protocol messages and our types, without validation. Unknown fields are dropped.

export function toAgentReport(request: ReportRequest, nodeId: string): AgentReport {
  return {
    bootId: request.bootId,
    sequence: Number(request.sequence),
    sentAt: request.sentAt ? timestampDate(request.sentAt) : null,
    observedRevision: Number(request.observedRevision),
    observedDigest: request.observedDigest,
    configError: request.configError,
    corrections: Number(request.corrections),
    droppedReports: Number(request.droppedReports),
    facts: request.facts ? toNodeFacts(request.facts) : null,
    version: request.info?.version ?? null,
    roles: request.info?.roles ?? [],
    warnings: request.warnings,
    echoAddress: request.node?.echoAddress ?? null,
    balancer: request.balancer ? toBalancer(request.balancer) : null,
    backend: request.backend ? toBackendStatus(request.backend) : null,
    adaptive: request.adaptive ? toAdaptiveStatus(request.adaptive) : null,
    bgp: request.bgp ? toBgp(request.bgp) : null,
    events: toEvents(request.events),
    inventory: request.inventory ? toInventory(request.inventory) : null,
    series: request.series.map(({ metric, labels, atMs, values }) => ({
      metric,
      labels,
      atMs: atMs.map(Number),
      values,
    })),
    derived: adaptiveSeries(request, nodeId),
  };
}

function toNodeFacts(facts: NodeFactsMessage): NodeFacts {
  return {
    hostname: facts.hostname,
    os: facts.os,
    kernel: facts.kernel,
    arch: facts.arch,
    cpuCount: facts.cpuCount,
    cpuModel: facts.cpuModel,
    memoryBytes: Number(facts.memoryBytes),
    bootedAt: facts.bootedAt ? timestampDate(facts.bootedAt) : null,
    interfaces: facts.interfaces.map(({ name, mac, mtu, up, addresses, speedBps }) => ({
      name,
      mac,
      mtu,
      up,
      addresses,
      speedBps: Number(speedBps),
    })),
    kernelFeatures: facts.kernelFeatures.map(({ name, available, reason }) => ({ name, available, reason })),
  };
}

/** ConfigBoxes open the secrets in configs: passwords of BGP, and keys of clusters. */
export type ConfigBoxes = { routing: Pick<SecretBox, "open">; sessionKeys: Pick<SecretBox, "open"> };

/** configMessage decrypts the passwords and keys in a config, because the agent needs them. */
export function configMessage({ revision, digest, config }: AgentConfig, boxes: ConfigBoxes): WatchResponse {
  const { reportIntervalMs, node, balancer, speaker, reflector, router, backend, adaptive } = config;
  const box = boxes.routing;
  const roles = {
    ...(node ? { node } : {}),
    ...(balancer ? { balancer: toRole(balancer, boxes.sessionKeys) } : {}),
    ...(speaker ? { speaker: toSpeaker(speaker, box) } : {}),
    ...(reflector ? { reflector: toReflector(reflector, box) } : {}),
    ...(router ? { router: toRouter(router, box) } : {}),
    ...(backend ? { backend: toBackendRole(backend, boxes.sessionKeys) } : {}),
    ...(adaptive ? { adaptive: toAdaptiveRole(adaptive, boxes.sessionKeys) } : {}),
  };
  const value = { revision: BigInt(revision), digest, reportIntervalMs, ...roles };
  return create(WatchResponseSchema, { message: { case: "config", value } });
}

export function keepAliveMessage(now: Date): WatchResponse {
  const value = create(KeepAliveSchema, { at: timestampFromDate(now) });
  return create(WatchResponseSchema, { message: { case: "keepAlive", value } });
}
