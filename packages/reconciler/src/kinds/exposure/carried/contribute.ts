import { createHash } from "node:crypto";
import type { Tx } from "@fairlead/db";
import { canonicalJson } from "@fairlead/domain";
import type { DesiredExposure } from "@fairlead/domain/exposure";
import { adaptiveServicesOf, servicesOf } from "@fairlead/domain/load-balancer";
import { markManyDirty } from "@fairlead/services";
import { selectAdaptiveBalancers } from "../../adaptive-state.sql.ts";
import { selectPlacedBalancers } from "../../placed-balancers.sql.ts";
import { selectBackendNodes, selectServers, selectSessionAddresses } from "../../session-state.sql.ts";
import { selectTicketKeys } from "../../ticket-keys.sql.ts";
import type { ExposureHead } from "../exposure-head.sql.ts";
import { recordContribution } from "../intent.sql.ts";
import { selectCarryingNodes } from "./carriers.sql.ts";

/**
 * contribute marks the nodes whose configs an exposure changes as it is placed now, and returns whether there are any.
 */
export async function contribute(
  tx: Tx,
  placed: DesiredExposure,
  { appliedDigest }: ExposureHead,
  now: Date,
): Promise<boolean> {
  const digest = await contributionDigest(tx, placed);
  if (digest === appliedDigest) return false;
  await recordContribution(tx, placed.id, digest, now);
  const servers = await selectServers(tx, { exposureId: placed.id });
  const besideServers = await selectBackendNodes(
    tx,
    servers.map((each) => each.nodeId),
  );
  await markManyDirty(tx, "node", [...(await selectCarryingNodes(tx, placed)), ...besideServers], { urgent: true });
  return true;
}

/** contributionDigest is equal for equal contributions of an exposure to its agents' configs. */
async function contributionDigest(tx: Tx, placed: DesiredExposure): Promise<string> {
  const agentIds = placed.loadBalancers.map(({ id, replicas }) => [id, replicas.map((each) => each.agentId).sort()]);
  const balancers = await selectPlacedBalancers(tx, { exposureId: placed.id });
  const services = balancers.flatMap(({ balancer }) => [
    balancer.engine ?? null,
    servicesOf(balancer),
    ...(balancer.weight === undefined ? [] : [balancer.weight]),
  ]);
  const bySession = placed.strategy.type === "session" ? { session: await sessionPart(tx, placed) } : {};
  const byCost = placed.strategy.type === "adaptive" ? { adaptive: await adaptivePart(tx, placed.id) } : {};
  return createHash("sha256")
    .update(canonicalJson({ agentIds, services, ...bySession, ...byCost }))
    .digest("hex");
}

/** sessionPart is what the configs of agents next to its backends have of an exposure. */
async function sessionPart(tx: Tx, { id, loadBalancers }: DesiredExposure) {
  const servers = await selectServers(tx, { exposureId: id });
  const replicas = await selectSessionAddresses(
    tx,
    loadBalancers.map((each) => each.id),
  );
  const tickets = (await selectTicketKeys(tx, [id])).get(id);
  return { servers, ...(tickets ? { tickets } : {}), replicas: [...replicas].sort(([a], [b]) => (a < b ? -1 : 1)) };
}

/** adaptivePart is what the configs of agents of the role adaptive have of an exposure. */
async function adaptivePart(tx: Tx, exposureId: string) {
  return (await selectAdaptiveBalancers(tx, { exposureId })).flatMap(({ balancer }) => adaptiveServicesOf(balancer));
}
