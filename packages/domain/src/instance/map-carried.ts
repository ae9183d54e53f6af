import type { DesiredExposure, DesiredLoadBalancer, ObservedMapping } from "../exposure/exposure-state.ts";
import { namedBalancerOf, serverNameOf } from "../exposure/named-balancer.ts";
import type { ObservedInstance } from "../exposure/observed-outside.ts";
import { reachInstance } from "./reach-instance.ts";

/** CarriedInstance is an instance and the balancer of ours in front of it, its own or everybody's; isCarried says that some replica carries that. */
export type CarriedInstance = {
  balancer: Pick<DesiredLoadBalancer, "id" | "address">;
  instance: ObservedInstance;
  isCarried: boolean;
};

/**
 * mapCarried says where instances are reached that have a balancer of ours each, or one of names for all. Nobody new should come to one that no replica
 * carries. An internal end that two instances share, as on their node's own network, is the last one's.
 */
export function mapCarried(
  exposure: Pick<DesiredExposure, "strategy" | "ports" | "cluster">,
  carried: readonly CarriedInstance[],
): (ObservedMapping & { loadBalancerId: string })[] {
  const { strategy, ports } = exposure;
  const zone = namedBalancerOf(strategy)?.zone ?? null;
  const mappings = carried.flatMap(({ balancer, instance: { name, ready, place }, isCarried }) => {
    const serverName = zone === null ? undefined : serverNameOf(name, zone);
    // It can't be asked for.
    if (serverName === null) return [];
    const internalAddress = place && reachInstance(exposure, balancer.address, place.addresses);
    if (!internalAddress) return [];
    return ports.map(({ port, targetPort = port, protocol }) => ({
      loadBalancerId: balancer.id,
      instance: name,
      pod: place.pod,
      node: place.node,
      protocol,
      internalAddress,
      internalPort: targetPort,
      externalAddress: balancer.address ?? "",
      externalPort: port,
      ...(serverName === undefined ? {} : { serverName }),
      ready: ready && isCarried && balancer.address !== null,
    }));
  });
  return [
    ...new Map(
      mappings.map((each) => [`${each.protocol} ${each.internalAddress} ${each.internalPort}`, each]),
    ).values(),
  ];
}
