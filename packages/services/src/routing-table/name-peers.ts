import type { ServiceContext } from "../context.ts";
import { selectSpeakers } from "../routing/select-speakers.sql.ts";

/** namePeers returns names for addresses: from the routing of a cluster, else the node that announces from there. */
export async function namePeers(
  { db }: Pick<ServiceContext, "db">,
  clusterIds: ReadonlySet<string>,
): Promise<(clusterId: string, address: string) => string> {
  const ids = [...clusterIds];
  const clusters = await db.cluster.findMany({ where: { id: { in: ids } }, select: { id: true, routing: true } });
  const names = new Map<string, Map<string, string>>();
  for (const { id, routing } of clusters) {
    const speakers = await selectSpeakers(db, id);
    const { reflectors = [], routers = [] } = (routing ?? {}) as Partial<Record<"reflectors" | "routers", Named[]>>;
    names.set(id, new Map([...speakers, ...reflectors, ...routers].map(({ address, name }) => [address, name])));
  }
  return (clusterId, address) => names.get(clusterId)?.get(address) ?? "";
}

type Named = { name: string; address: string };
