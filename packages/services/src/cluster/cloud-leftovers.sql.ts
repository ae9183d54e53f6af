import type { Tx } from "@fairlead/db";
import { conflict } from "@fairlead/domain";
import type { Cluster } from "@fairlead/domain/cluster";

const mostNamed = 5;
const mostRecorded = 1_000;

/** CloudLeftovers is what may still be in a cloud: nothing else knows of it once its cluster is deleted. */
export type CloudLeftovers = {
  count: number;
  addresses: { address: string; interfaceId: string }[];
  /** Where it was placed; null before the first time. */
  settings: unknown;
};

/**
 * findCloudLeftovers returns what a cluster has in a cloud, whether its cloud route is shown or being removed; null if
 * there is nothing. Marks of Fairlead may be there without any address.
 */
export async function findCloudLeftovers(tx: Tx, clusterId: string): Promise<CloudLeftovers | null> {
  // The reconciler notes that it is about to place something in this row: either it has, or it finds no route.
  await tx.$executeRaw`SELECT 1 FROM cloud_route WHERE cluster_id = ${clusterId} FOR UPDATE`;
  const route = await tx.cloudRoute.findUnique({ where: { clusterId }, select: { appliedSettings: true } });
  const count = await tx.cloudAddress.count({ where: { clusterId } });
  const settings = route?.appliedSettings ?? null;
  if (count === 0 && settings === null) return null;
  const select = { address: true, interfaceId: true };
  const addresses = await tx.cloudAddress.findMany({
    ...{ where: { clusterId }, select, orderBy: { address: "asc" }, take: mostRecorded },
  });
  return { count, addresses, settings };
}

/** refuseWith returns the error for a cluster that can't be deleted because of leftovers. */
export function refuseWith({ count, addresses }: CloudLeftovers, { name, cloudRoute }: Cluster): Error {
  const named = addresses.slice(0, mostNamed).map((each) => each.address);
  const more = count > named.length ? ` and ${count - named.length} more` : "";
  const left =
    count === 0
      ? `The cloud route of ${name} is not removed from its cloud yet.`
      : `Addresses of ${name} are still placed in its cloud: ${named.join(", ")}${more}.`;
  const next = cloudRoute
    ? "Remove its cloud route first."
    : "Its cloud route is being removed: wait until that is done.";
  return conflict(
    `${left} ${next} If its credentials no longer work, confirm that everything stays in the cloud until you remove it by hand (forgetCloudAddresses).`,
    ["forgetCloudAddresses"],
  );
}
