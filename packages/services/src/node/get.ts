import type { Tx } from "@fairlead/db";
import { hideReplicaAddresses } from "@fairlead/domain/load-balancer";
import {
  type Node,
  type NodeAnnounced,
  type NodeBalancer,
  type NodeDetail,
  type NodeFacts,
  nodeFacts,
} from "@fairlead/domain/node";
import { unlessMap } from "../address-map/may-read.ts";
import { selectAgents } from "../agent/select.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";
import { selectAnnounced } from "./announced.sql.ts";
import { selectNodeBalancers } from "./balancers.sql.ts";
import { selectRoundTripsTo } from "./round-trips.sql.ts";
import { type NodeRow, nodeDetailSource, nodeSource, toNode } from "./rows.ts";

/** getNode returns a node with the facts of its host and all its agents. */
export async function getNode(ctx: ServiceContext, id: string): Promise<NodeDetail> {
  authorize(ctx, "node:read");
  return loadNodeDetail(ctx, ctx.db, id);
}

/** loadNodeDetail is for verbs that have checked their own permission. */
export async function loadNodeDetail(ctx: ServiceContext, tx: Tx, id: string): Promise<NodeDetail> {
  type Row = NodeRow & { facts: unknown };
  const { facts, ...row } = await loadOne<Row>(tx, "node", nodeDetailSource, ctx.organizationId, id);
  return {
    ...toNode(row),
    facts: readFacts(facts),
    agents: await selectAgents(tx, ctx.organizationId, { nodeId: id }),
    balancers: (await selectNodeBalancers(tx, id)).map(unlessMap(ctx, hideCarried)),
    announced: unlessMap(ctx, hideAlone)(await selectAnnounced(tx, id)),
    roundTripsTo: await selectRoundTripsTo(tx, id),
  };
}

export async function loadNode(ctx: ServiceContext, tx: Tx, id: string): Promise<Node> {
  return toNode(await loadOne<NodeRow>(tx, "node", nodeSource, ctx.organizationId, id));
}

function hideCarried(balancer: NodeBalancer): NodeBalancer {
  return { ...balancer, replicas: balancer.replicas.map(hideReplicaAddresses) };
}

/** The node's load balancers are named next to them. */
function hideAlone(announced: NodeAnnounced): NodeAnnounced {
  return { ...announced, alone: [] };
}

/** Facts in another version's format are left out rather than shown wrong. */
function readFacts(stored: unknown): NodeFacts | null {
  if (!stored || typeof stored !== "object") return null;
  const { bootedAt, ...rest } = stored as { bootedAt?: unknown };
  const parsed = nodeFacts.safeParse({ ...rest, bootedAt: typeof bootedAt === "string" ? new Date(bootedAt) : null });
  return parsed.success ? parsed.data : null;
}
