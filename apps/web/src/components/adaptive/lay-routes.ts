import type { AdaptiveRoute } from "@fairlead/domain/exposure";

type Place = { id: string; name: string };

/** A node at which connections start, or arrive from outside, with its routes by the node that serves them. */
export type Entry = Place & {
  /** Connections that arrived from outside; null without a balancer that has taken any. */
  outside: { open: number; all: number } | null;
  routes: ReadonlyMap<string, AdaptiveRoute>;
  /** Whether connections started here between its last two reports. Without any, no route has a share. */
  isUsed: boolean;
};

/** The routes of one port: each entry with each serving node, both by name. */
export type PortRoutes = Pick<AdaptiveRoute, "port" | "protocol"> & {
  key: string;
  entries: Entry[];
  servingNodes: Place[];
};

/** layRoutes arranges routes as a matrix for each port. */
export function layRoutes(routes: readonly AdaptiveRoute[]): PortRoutes[] {
  const keyOf = ({ loadBalancerId, port, protocol }: AdaptiveRoute) => `${loadBalancerId} ${port} ${protocol}`;
  return [...Map.groupBy(routes, keyOf)]
    .flatMap(([key, group]) => {
      const [first] = group;
      return first ? [{ key, ...layPort(first, group) }] : [];
    })
    .sort((a, b) => a.port - b.port || a.protocol.localeCompare(b.protocol));
}

function layPort({ port, protocol }: AdaptiveRoute, routes: readonly AdaptiveRoute[]): Omit<PortRoutes, "key"> {
  const entries = [...Map.groupBy(routes, (each) => each.fromNodeId)].map(([id, group]) => ({
    ...{ id, name: group[0]?.fromNodeName ?? id },
    routes: new Map(group.map((each) => [each.toNodeId, each])),
    outside: outsideOf(group),
    isUsed: group.some((each) => each.share > 0),
  }));
  const names = new Map(routes.map((each) => [each.toNodeId, each.toNodeName]));
  const servingNodes = [...names].map(([id, name]) => ({ id, name }));
  return { port, protocol, entries: entries.sort(byName), servingNodes: servingNodes.sort(byName) };
}

function outsideOf(routes: readonly AdaptiveRoute[]): Entry["outside"] {
  const all = routes.reduce((sum, each) => sum + each.entered, 0);
  return all === 0 ? null : { open: routes.reduce((sum, each) => sum + each.enteredOpen, 0), all };
}

function byName(a: Place, b: Place): number {
  return a.name.localeCompare(b.name, "en", { numeric: true });
}

/** routesByShare lists the routes of an entry, the most used first, and of equal ones its own node first. */
export function routesByShare({ routes }: Entry): AdaptiveRoute[] {
  return [...routes.values()].sort(
    (a, b) =>
      b.share - a.share ||
      Number(isLocal(b)) - Number(isLocal(a)) ||
      byName({ id: a.toNodeId, name: a.toNodeName }, { id: b.toNodeId, name: b.toNodeName }),
  );
}

export function isLocal({ fromNodeId, toNodeId }: Pick<AdaptiveRoute, "fromNodeId" | "toNodeId">): boolean {
  return fromNodeId === toNodeId;
}
