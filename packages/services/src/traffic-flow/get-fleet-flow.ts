import {
  type BalancerNode,
  figuresOf,
  flowOfFleet,
  type Measured,
  type TrafficFlow,
} from "@fairlead/domain/traffic-flow";
import { authorize, type ServiceContext } from "../context.ts";
import { measuredOverMs } from "../routing/measure-hops.sql.ts";
import { flowPermissions } from "./flow-permissions.ts";
import { readSamples } from "./read-samples.ts";
import { selectFleetHops } from "./select-hops.sql.ts";
import {
  mostNodes,
  type NodeRow,
  selectBalancerNodes,
  selectCarried,
  selectCarriedExposures,
  selectMeasured,
} from "./select-measured.sql.ts";

/** Traffic by exposure has one figure for each replica, and a picture is read again and again. */
const mostReplicas = 5_000;

/**
 * getFleetFlow returns the path of all traffic over our balancers: client networks, routers, nodes, exposures and their
 * backends.
 */
export async function getFleetFlow(ctx: ServiceContext): Promise<TrafficFlow> {
  for (const permission of flowPermissions) authorize(ctx, permission);
  const { db, organizationId, now } = ctx;
  const found = await selectBalancerNodes(db, organizationId);
  const rows = found.slice(0, mostNodes);
  const isTooMany = rows.reduce((sum, each) => sum + each.replicas, 0) > mostReplicas;
  const ids = rows.map((each) => each.id);
  const [measured, hops, carried, exposures, { samples, isSampled, problems }] = await Promise.all([
    selectMeasured(db, ids, now),
    selectFleetHops(db, organizationId),
    isTooMany ? [] : selectCarried(db, organizationId, now),
    isTooMany ? [] : selectCarriedExposures(db, organizationId),
    readSamples(ctx),
  ]);
  const left = [
    ...(found.length > rows.length ? [`Only ${mostNodes} nodes are counted.`] : []),
    ...(isTooMany ? [`Exposures are not shown, because there are more than ${mostReplicas} replicas.`] : []),
  ];
  return {
    at: now,
    overMs: measuredOverMs,
    ...flowOfFleet({ nodes: withFigures(rows, measured), exposures, carried, hops, samples }),
    isSampled,
    problems: [...left, ...problems],
  };
}

function withFigures(rows: readonly NodeRow[], measured: readonly Measured[]): BalancerNode[] {
  const ofNode = Map.groupBy(measured, (each) => each.subjectId);
  return rows.map((row) => ({ ...row, ...figuresOf(ofNode.get(row.id) ?? []) }));
}
