import { newId } from "@fairlead/domain";
import type { ServiceContext } from "../context.ts";
import { createTestNode } from "./node.ts";

const prefix = "192.0.2.1/32";

export type TestRouting = {
  /** Speakers, in the order of their nodes. */
  speakers: { agentId: string; nodeId: string; hop: string }[];
  /** Makes the router's kernel send to these speakers, from a moment on. */
  route: (speakers: readonly { hop: string }[], changedAt: Date) => Promise<void>;
};

/**
 * createTestRouting lets a number of speakers of a cluster announce one address, which a router's kernel sends to all.
 */
export async function createTestRouting(ctx: ServiceContext, clusterId: string, count: number): Promise<TestRouting> {
  const { db, organizationId, now } = ctx;
  const routing = {
    asn: 65_021,
    balancers: ["10.0.0.0/24"],
    routers: [{ name: "tor-1", address: "10.0.0.254", asn: 65_021 }],
  };
  await db.cluster.update({ where: { id: clusterId }, data: { routing } });
  const seen = { organizationId, clusterId, observedAt: now };
  const speakers: TestRouting["speakers"] = [];
  for (let n = 1; n <= count; n++) {
    const { nodeId, agentId } = await createTestNode(ctx, clusterId, { name: `lb-${n}`, roles: ["speaker"] });
    const hop = `10.0.0.${n}`;
    const offer = { prefix, nextHop: hop, loadBalancerId: "", state: "offered", stateSince: now };
    await db.announcement.create({ data: { id: newId("announcement", now), ...seen, ...offer, agentId } });
    speakers.push({ agentId, nodeId, hop });
  }
  const { agentId } = await createTestNode(ctx, clusterId, { name: "tor-1", roles: ["router"] });
  const id = newId("route", now);
  await db.route.create({ data: { id, ...seen, agentId, prefix, since: now, changedAt: now, nextHops: [] } });
  const route: TestRouting["route"] = async (to, changedAt) => {
    const nextHops = to.map(({ hop }) => ({ address: hop, weight: 1, since: changedAt }));
    await db.route.update({ where: { id }, data: { nextHops, changedAt } });
  };
  await route(speakers, now);
  return { speakers, route };
}
