import { newId } from "@fairlead/domain";
import type { AddressPool } from "@fairlead/domain/address-pool";
import type { Cluster } from "@fairlead/domain/cluster";
import { weightsProtocol } from "@fairlead/domain/exposure";
import { updateClusterRouting } from "@fairlead/domain/routing";
import { updateCluster } from "../cluster/index.ts";
import type { ServiceContext } from "../context.ts";
import { createTestCluster } from "./exposure.ts";
import { createTestNode } from "./node.ts";

const router = { name: "tor-1", address: "10.0.0.1", asn: 65_021 };

export type TestClusters = {
  own: Cluster;
  west: Cluster;
  pool: AddressPool;
  /** Balancer agents, one in each cluster. */
  agents: { own: string; west: string };
  /** Writes what the reconciler would record of the load balancer of an exposure in a cluster. */
  serve: (exposureId: string, clusterId: string, backendsUp?: number) => Promise<void>;
};

/** createTestClusters creates two clusters that an exposure may span: behind one router, with an agent and an instance each. */
export async function createTestClusters(ctx: ServiceContext): Promise<TestClusters> {
  const { db, now, organizationId } = ctx;
  const { cluster: own, pool } = await createTestCluster(ctx);
  const { cluster: west } = await createTestCluster(ctx, "198.51.100.0/24");
  const routing = updateClusterRouting.parse({ asn: 65_021, balancers: ["10.0.0.0/24"], routers: [router] });
  for (const { id } of [own, west]) await updateCluster(ctx, id, { routing });
  const { agentId } = await createTestNode(ctx, own.id, { name: "tor-1", roles: ["router"] });
  await db.agent.update({ where: { id: agentId }, data: { protocolVersion: weightsProtocol } });
  const { address, asn } = router;
  await db.bgpStatus.create({ data: { agentId, address, asn, routerId: address, observedAt: now } });
  const agents = { own: "", west: "" };
  for (const [key, cluster] of [["own", own] as const, ["west", west] as const]) {
    agents[key] = (await createTestNode(ctx, cluster.id, { name: `lb-${key}`, roles: ["balancer"] })).agentId;
    const instance = {
      workload: "shop",
      nodeName: "n1",
      addresses: [key === "own" ? "10.2.0.1" : "10.2.0.2"],
      ready: true,
    };
    const id = newId("instance", now);
    await db.instance.create({
      data: {
        ...instance,
        id,
        organizationId,
        clusterId: cluster.id,
        name: `shop-${key}`,
        source: cluster.id,
        changedAt: now,
      },
    });
  }
  return {
    ...{ own, west, pool, agents },
    async serve(exposureId, clusterId, backendsUp = 1) {
      const balancer = await db.loadBalancer.findFirstOrThrow({ where: { exposureId, clusterId } });
      const loadBalancerId = balancer.id;
      const agentId = clusterId === own.id ? agents.own : agents.west;
      await db.replica.updateMany({ where: { loadBalancerId }, data: { agentId } });
      const status = { phase: "serving", replicasReady: 1, backendsUp, backendsTotal: 1, observedAt: now };
      await db.loadBalancerStatus.upsert({
        where: { loadBalancerId },
        create: { loadBalancerId, ...status },
        update: status,
      });
    },
  };
}
