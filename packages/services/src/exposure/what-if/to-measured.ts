import type { MeasuredNode, MeasuredService, WhatIfChange } from "@fairlead/domain/exposure";
import type { ReportedEntry } from "./measured.sql.ts";

type Service = ReportedEntry["services"][number];
type Port = Pick<Service, "port" | "protocol">;
type WantedPort = Pick<WhatIfChange, "port" | "protocol">;

/** toMeasured joins what agents report about one port; null if none of them has that port. */
export function toMeasured(entries: readonly ReportedEntry[], wanted: WantedPort): MeasuredService | null {
  const port = choosePort(entries, wanted);
  if (!port) return null;
  const serviceOf = (entry: ReportedEntry) =>
    entry.services.find((each) => each.port === port.port && each.protocol === port.protocol);
  const known = new Set(entries.map((each) => each.nodeId));
  const others = new Set(
    entries
      .flatMap((entry) => (serviceOf(entry)?.nodes ?? []).map((each) => each.nodeId))
      .filter((id) => !known.has(id)),
  );
  const nodes = [
    ...entries.map((entry) =>
      toNode(
        entry,
        serviceOf(entry),
        entries.flatMap((each) => serviceOf(each) ?? []),
      ),
    ),
    ...[...others].map((nodeId) =>
      toUnknown(
        nodeId,
        entries.flatMap((each) => serviceOf(each) ?? []),
      ),
    ),
  ];
  const tripsOf = new Map(
    entries.map((each) => [each.nodeId, new Map(each.peers.map((peer) => [peer.nodeId, peer.roundTripMs]))]),
  );
  const roundTripMs = nodes.map((from) => nodes.map((to) => tripsOf.get(from.nodeId)?.get(to.nodeId) ?? null));
  return { ...port, nodes, roundTripMs };
}

/** choosePort returns the port with the most requests of those that are wanted. */
function choosePort(entries: readonly ReportedEntry[], { port, protocol }: WantedPort): Port | null {
  const services = entries
    .flatMap((each) => each.services)
    .filter(
      (each) => (port === undefined || each.port === port) && (protocol === undefined || each.protocol === protocol),
    );
  const ports = [...Map.groupBy(services, (each) => `${each.port} ${each.protocol}`).values()].map((group) => ({
    group,
    requests: group.reduce((sum, each) => sum + (each.requestsPerSecond ?? 0), 0),
  }));
  const [busiest] = ports.sort((a, b) => b.requests - a.requests);
  const [first] = busiest?.group ?? [];
  return first ? { port: first.port, protocol: first.protocol } : null;
}

function toNode(entry: ReportedEntry, service: Service | undefined, all: readonly Service[]): MeasuredNode {
  const { nodeId, nodeName, cores, observedAt } = entry;
  const own = service?.nodes.find((each) => each.nodeId === nodeId);
  const { requestsPerSecond = null, connectionsPerSecond = null, nodes = [] } = service ?? {};
  return {
    ...{ nodeId, nodeName, observedAt, requestsPerSecond, connectionsPerSecond },
    cores: own?.cores || cores || null,
    instances: own?.backends ?? instancesAt(nodeId, all),
    serviceMs: own?.serviceMs || null,
    openConnections: nodes.reduce((sum, each) => sum + each.open, 0),
  };
}

/** A node with instances and without an agent. Others report how many, and no figures. */
function toUnknown(nodeId: string, all: readonly Service[]): MeasuredNode {
  return {
    ...{ nodeId, nodeName: nodeId, cores: null, instances: instancesAt(nodeId, all), serviceMs: null },
    ...{ requestsPerSecond: null, connectionsPerSecond: null, openConnections: 0, observedAt: null },
  };
}

function instancesAt(nodeId: string, all: readonly Service[]): number {
  const reported = all.flatMap((each) => each.nodes.find((node) => node.nodeId === nodeId)?.backends ?? []);
  return Math.max(0, ...reported);
}

/** describeMissing states which port has no figures. */
export function describeMissing({ port, protocol }: WantedPort): string {
  const which = [port === undefined ? "" : `port ${port}`, protocol?.toUpperCase() ?? ""].filter(Boolean).join(" ");
  return which
    ? `No agent has reported figures of ${which}. Use a port of the exposure, or leave it out for the busiest one.`
    : "No agent has reported figures of this exposure yet. Add agents of the role adaptive, and try again once clients send requests.";
}
