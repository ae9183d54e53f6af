import type { MeasuredNode, MeasuredService, WhatIfChange } from "@fairlead/domain/exposure";
import type { ReportedEntry } from "./measured.sql.ts";

type Service = ReportedEntry["services"][number];
type Port = Pick<Service, "port" | "protocol">;
type WantedPort = Pick<WhatIfChange, "port" | "protocol">;

/** toMeasured joins what agents report about one port; null if none of them has that port. */
export function toMeasured(entries: readonly ReportedEntry[], wanted: WantedPort): MeasuredService | null {
  const port = choosePort(entries, wanted);
  if (!port) return null;
  const serviceOf = new Map(
    entries.map((entry) => [
      entry.nodeId,
      entry.services.find((each) => each.port === port.port && each.protocol === port.protocol),
    ]),
  );
  const instancesAt = instancesOf([...serviceOf.values()]);
  const others = [...instancesAt.keys()].filter((id) => !serviceOf.has(id));
  const nodes = [
    ...entries.map((entry) => toNode(entry, serviceOf.get(entry.nodeId), instancesAt.get(entry.nodeId) ?? 0)),
    ...others.map((nodeId) => toUnknown(nodeId, instancesAt.get(nodeId) ?? 0)),
  ];
  const tripsOf = new Map(
    entries.map((each) => [each.nodeId, new Map(each.peers.map((peer) => [peer.nodeId, peer.roundTripMs]))]),
  );
  const roundTripMs = nodes.map((from) => nodes.map((to) => tripsOf.get(from.nodeId)?.get(to.nodeId) ?? null));
  return { ...port, nodes, roundTripMs };
}

/** instancesOf returns the most instances that any agent reports of a node, by its ID. */
function instancesOf(services: readonly (Service | undefined)[]): Map<string, number> {
  const most = new Map<string, number>();
  for (const { nodeId, backends = 0 } of services.flatMap((each) => each?.nodes ?? []))
    most.set(nodeId, Math.max(backends, most.get(nodeId) ?? 0));
  return most;
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

function toNode(entry: ReportedEntry, service: Service | undefined, instances: number): MeasuredNode {
  const { nodeId, nodeName, cores, observedAt } = entry;
  const own = service?.nodes.find((each) => each.nodeId === nodeId);
  const { requestsPerSecond = null, connectionsPerSecond = null, nodes = [] } = service ?? {};
  return {
    ...{ nodeId, nodeName, observedAt, requestsPerSecond, connectionsPerSecond },
    cores: own?.cores || cores || null,
    instances: own?.backends ?? instances,
    serviceMs: service?.serviceMs || own?.serviceMs || null,
    cpuPeriodMs: service?.cpuPeriodMs || null,
    openConnections: nodes.reduce((sum, each) => sum + each.open, 0),
  };
}

/** A node with instances and without an agent. Others report how many, and no figures. */
function toUnknown(nodeId: string, instances: number): MeasuredNode {
  return {
    ...{ nodeId, nodeName: nodeId, cores: null, instances, serviceMs: null, cpuPeriodMs: null },
    ...{ requestsPerSecond: null, connectionsPerSecond: null, openConnections: 0, observedAt: null },
  };
}

/** describeMissing states which port has no figures. */
export function describeMissing({ port, protocol }: WantedPort): string {
  const which = [port === undefined ? "" : `port ${port}`, protocol?.toUpperCase() ?? ""].filter(Boolean).join(" ");
  return which
    ? `No agent has reported figures of ${which}. Use a port of the exposure, or leave it out for the busiest one.`
    : "No agent has reported figures of this exposure yet. Add agents of the role adaptive, and try again once clients send requests.";
}
