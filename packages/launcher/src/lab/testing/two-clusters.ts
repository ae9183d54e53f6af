import { createExposure as exposureSpec, type Placement } from "@fairlead/domain/exposure";
import { updateClusterRouting } from "@fairlead/domain/routing";
import { createCluster, createExposure, getCluster, getExposure, updateCluster } from "@fairlead/services";
import { deleteExposures, type LabStage, setLabStage } from "./lab-stage.ts";
import { until } from "./until.ts";

/** TwoClusters are demo, with the first node, and west, with the second one, behind one router. */
export type TwoClusters = {
  stage: LabStage;
  west: string;
  /** podsIn returns the names of the pods in a cluster. */
  podsIn: (clusterId: string) => Promise<string[]>;
  /** expose exposes all pods in demo, or in both clusters, and returns once it serves. */
  expose: (placements?: Placement[]) => Promise<{ id: string; address: string }>;
};

const startsWithinMs = 180_000;

/** setTwoClusters needs root. */
export async function setTwoClusters(name: string): Promise<TwoClusters> {
  let west = "";
  const stage = await setLabStage(name, split, async ({ database, clusterId, now }) => {
    await deleteExposures({ database, clusterId, now });
    const { routing } = await getCluster(now(), clusterId);
    ({ id: west } = await createCluster(now(), { name: "west", kind: "lab", region: "this machine", labels: {} }));
    const { hasPassword: _, ...shown } = routing ?? { hasPassword: false };
    await updateCluster(now(), west, { routing: updateClusterRouting.parse(shown) });
    return { clusterId: west, name: "west", nodes: ["node-2"] };
  });
  const { db } = stage.database;
  const podsIn = async (clusterId: string) =>
    (await db.instance.findMany({ where: { clusterId }, select: { name: true } })).map((each) => each.name);
  try {
    await until("the agents report 3 pods, a router with weights and a balancer in west", startsWithinMs, async () => {
      const [here, there] = [await podsIn(stage.clusterId), await podsIn(west)];
      // Its first report says that it uses weights.
      const routers = await db.bgpStatus.count({ where: { agent: { roles: { has: "router" } } } });
      const balancers = await db.balancerStatus.count({ where: { agent: { node: { clusterId: west } } } });
      return here.length === 2 && there.length === 1 && routers === 1 && balancers === 1;
    });
  } catch (error) {
    await stage.stop();
    throw error;
  }
  return {
    ...{ stage, west, podsIn },
    async expose(placements = []) {
      const { now, clusterId, poolId } = stage;
      const spec = {
        ...{
          clusterId,
          name: "shop",
          workload: { kind: "deployment", name: "web" },
          ports: [{ port: 80 }],
          placements,
        },
        // Only by these packets a balancer reaches backends of another cluster, so that open connections can stay at them.
        ...{ strategy: { type: "ecmp", replicas: 1, poolId, delivery: "gue" } },
        ...{ healthCheck: { type: "http", path: "/healthz" } },
      };
      const { id, addresses } = await createExposure(now(), exposureSpec.parse(spec));
      const [address = ""] = addresses;
      // As on machines that unwrap packets: they keep the address of the client and of the service.
      for (const pod of [...(await podsIn(clusterId)), ...(await podsIn(west))])
        stage.lab("exec", pod, "ip", "address", "add", `${address}/32`, "dev", "lo");
      const hops = Math.max(1, placements.length);
      await until("the exposure serves", startsWithinMs, async () => {
        const { phase } = await getExposure(now(), id);
        return phase === "serving" && stage.hops(address) === hops;
      });
      return { id, address };
    },
  };
}

function split(topology: string): string {
  return (
    topology
      .replaceAll(/^ +(traffic:|- {service:.*)\n/gm, "")
      .replace("{name: node-2,", "{name: node-2, cluster: west,")
      // Pods unwrap packets.
      .replace("{name: web, serve: http, port: 80}", "{name: web, serve: http, port: 80, delivery: gue}")
  );
}
