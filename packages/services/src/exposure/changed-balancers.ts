import type { Tx } from "@fairlead/db";
import { canonicalJson, type ObservedLoadBalancer } from "@fairlead/domain";
import { withoutMask } from "./without-mask.ts";

/** changedBalancers picks those that were seen otherwise than they are stored, or for the first time. */
export async function changedBalancers(
  tx: Tx,
  exposureId: string,
  seen: ObservedLoadBalancer[],
): Promise<ObservedLoadBalancer[]> {
  const stored = await tx.loadBalancer.findMany({
    where: { exposureId },
    select: { id: true, status: true, replicas: { include: { status: true } }, backends: true, mappings: true },
  });
  const spelled = new Map(
    stored.map(({ id, status, replicas, backends, mappings }) => [
      id,
      status &&
        spell({
          phase: status.phase,
          message: status.message,
          address: status.address,
          replicas: replicas.flatMap(({ id, status }) => (status ? [{ ...status, id }] : [])),
          backends: backends.map((each) => ({ ...each, address: withoutMask(each.address) })),
          mappings: mappings.map((each) => ({ ...each, internalAddress: withoutMask(each.internalAddress) })),
        }),
    ]),
  );
  return seen.filter((each) => spelled.get(each.id) !== spell(each));
}

type Comparable = {
  phase: string;
  message: string;
  address: string | null;
  replicas: { id: string; nodeId: string | null; ready: boolean; message: string }[];
  backends: {
    instance: string;
    protocol: string;
    address: string;
    port: number;
    weight: number;
    state: string;
    health: string;
  }[];
  mappings: {
    instance: string;
    pod: string | null;
    node: string | null;
    protocol: string;
    internalAddress: string;
    internalPort: number;
    externalAddress: string;
    externalPort: number;
    ready: boolean;
  }[];
};

/** Equal sightings are spelled equally, whatever order their parts come in. */
function spell({ phase, message, address, replicas, backends, mappings }: Comparable): string {
  return canonicalJson({
    phase,
    message,
    address,
    replicas: replicas.map(({ id, nodeId, ready, message }) => canonicalJson({ id, nodeId, ready, message })).sort(),
    backends: backends
      .map(({ instance, protocol, address, port, weight, state, health }) =>
        canonicalJson({ instance, protocol, address, port, weight, state, health }),
      )
      .sort(),
    mappings: mappings
      .map(({ instance, pod, node, protocol, internalAddress, internalPort, externalAddress, externalPort, ready }) =>
        canonicalJson({
          ...{ instance, pod, node, protocol },
          ...{ internalAddress, internalPort, externalAddress, externalPort, ready },
        }),
      )
      .sort(),
  });
}
