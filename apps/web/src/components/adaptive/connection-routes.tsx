"use client";
import type { AdaptiveRoute } from "@fairlead/domain/exposure";
import type { ReportedNode } from "./join-nodes.ts";
import { layRoutes, type PortRoutes } from "./lay-routes.ts";
import { RouteList } from "./route-list.tsx";
import { RouteMatrix } from "./route-matrix.tsx";

/** More columns are unreadable. */
const mostColumns = 8;

type Props = { routes: readonly AdaptiveRoute[]; nodes: readonly ReportedNode[] };

/** Where the connections of each node go, for each port: a matrix, or a list where that has no room. */
export function ConnectionRoutes({ routes, nodes }: Props) {
  const ports = layRoutes(routes);
  if (ports.length === 0) return <p className="py-2 text-muted text-sm">{describeEmpty(nodes)}</p>;
  return (
    <div className="@container flex flex-col gap-6">
      {ports.map((each) => (
        <PortView key={each.key} of={each} hasTitle={ports.length > 1} />
      ))}
      <p className="text-muted text-xs">
        Each connection goes where one more request costs least: its round trip, its wait, and the wait of others
        because of it. Requests in flight are those at the serving node, from all nodes. <em>By weight</em>: figures of
        the serving node are missing or too old, so its cost is unknown.
      </p>
    </div>
  );
}

function PortView({ of, hasTitle }: { of: PortRoutes; hasTitle: boolean }) {
  const title = `Port ${of.port} ${of.protocol.toUpperCase()}`;
  const label = hasTitle ? `Routes of port ${of.port} ${of.protocol.toUpperCase()}` : "Routes by node";
  const isMatrix = of.servingNodes.length <= mostColumns;
  return (
    <div className="flex flex-col gap-2">
      {hasTitle ? <h3 className="font-medium text-sm">{title}</h3> : null}
      {isMatrix ? (
        <div className="@3xl:block hidden">
          <RouteMatrix of={of} label={label} />
        </div>
      ) : null}
      <div className={isMatrix ? "@3xl:hidden" : undefined}>
        <RouteList of={of} label={label} />
      </div>
    </div>
  );
}

function describeEmpty(nodes: readonly ReportedNode[]): string {
  if (nodes.length === 0)
    return "No routes: the cluster has no nodes with instances or with agents of the role adaptive.";
  if (nodes.every((each) => each.observedAt === null))
    return "No reports yet. Routes appear once an agent of the role adaptive carries the exposure.";
  return "No routes: the workload has no instances to connect to.";
}
