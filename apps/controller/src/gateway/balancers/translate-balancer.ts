import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type AgentEvent,
  type BalancerRole,
  BalancerRoleSchema,
  type BalancerStatus,
  type Inventory,
  type ClientSample as WireClients,
} from "@fairlead/agent-protocol";
import type { ActiveHealthCheck } from "@fairlead/domain/exposure";
import type { ReportedInstance } from "@fairlead/domain/instance";
import type { BalancerConfig } from "@fairlead/domain/load-balancer";
import type { AgentReport, SecretBox } from "@fairlead/services/gateway";
import { toSession, toSessionBackend, toSessionService } from "../sessions/translate-session.ts";
import { TicketNames } from "../sessions/translate-ticket-keys.ts";

export function toBalancer(status: BalancerStatus): NonNullable<AgentReport["balancer"]> {
  const { engine, engineReason, refused, address, flowAddress, services } = status;
  return {
    engine,
    engineReason,
    refused: refused.map(({ engine, reason }) => ({ engine, reason })),
    address,
    flowAddress,
    services: services.map(({ loadBalancerId, address, ready, message, backends, clients, session }) => ({
      loadBalancerId,
      address,
      ready,
      message,
      backends: backends.map(({ id, health, message, since, liveConnections }) => ({
        id,
        health,
        message,
        since: since ? timestampDate(since) : null,
        liveConnections: Number(liveConnections),
      })),
      clients: clients ? toClients(clients) : null,
      session: session ? toSession(session) : null,
    })),
  };
}

function toClients({ problem, seconds, oneIn, networks, otherBps }: WireClients) {
  return {
    problem,
    seconds,
    oneIn,
    networks: networks.map(({ prefix, throughputBps, packetsPerSecond }) => ({
      prefix,
      throughputBps,
      packetsPerSecond,
    })),
    otherBps,
  };
}

export function toEvents(events: readonly AgentEvent[]): AgentReport["events"] {
  return events.map(({ at, reason, message, warning, loadBalancerId }) => ({
    at: at ? timestampDate(at) : new Date(0),
    reason,
    message,
    warning,
    loadBalancerId,
  }));
}

export function toInventory({ instances }: Inventory): ReportedInstance[] {
  return instances.map(({ name, workload, nodeName, addresses, ready, labels, weight }) => ({
    name,
    workload,
    nodeName,
    addresses,
    ready,
    labels,
    weight: weight || 1,
  }));
}

export function toRole(
  { engine, services, peers }: BalancerConfig,
  sessionKeys: Pick<SecretBox, "open">,
): BalancerRole {
  return create(BalancerRoleSchema, {
    engine,
    peers,
    services: services.map(({ healthCheck, session, backends, ...service }) => {
      const names = session?.ticketKeys ? new TicketNames(session.ticketKeys, sessionKeys) : null;
      return {
        ...service,
        backends: backends.map(({ session: taking, ...backend }) =>
          taking ? { ...backend, session: toSessionBackend(taking, names) } : backend,
        ),
        ...(session ? { session: toSessionService(session, service.exposureId, sessionKeys) } : {}),
        ...(healthCheck ? { healthCheck: toHealthCheck(healthCheck) } : {}),
      };
    }),
  });
}

export function toHealthCheck(check: ActiveHealthCheck) {
  const { type, port = 0, intervalMs, timeoutMs, rise, fall } = check;
  return { type, port, intervalMs, timeoutMs, rise, fall, ...checkRequest(check) };
}

function checkRequest(check: ActiveHealthCheck) {
  const bytes = (text: string) => new TextEncoder().encode(text);
  switch (check.type) {
    case "tcp":
      return {};
    case "http":
    case "https":
      return { path: check.path, host: check.host ?? "", statuses: check.statuses ?? [] };
    case "grpc":
      return { path: check.service };
    case "udp":
      return { send: bytes(check.send), expect: bytes(check.expect) };
    default:
      return check satisfies never;
  }
}
