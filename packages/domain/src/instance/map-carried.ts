import type { DesiredExposure, DesiredLoadBalancer, ObservedMapping } from "../exposure/exposure-state.ts";
import { namedBalancerOf, serverNameOf } from "../exposure/named-balancer.ts";
import type { ObservedInstance } from "../exposure/observed-outside.ts";
import { reachInstance } from "./reach-instance.ts";

/** CarriedInstance is an instance with the balancer of ours in front of it, its own or a shared one. isCarried: at least one replica carries the balancer. */
export type CarriedInstance = {
  balancer: Pick<DesiredLoadBalancer, "id" | "address">;
  instance: ObservedInstance;
  isCarried: boolean;
};

/**
 * mapCarried returns the address mappings of instances behind our balancers: one balancer each, or a shared one with server
 * names. A mapping isn't ready if no replica carries its balancer. If two instances share an internal end, as on their node's
 * own network, the last one is mapped.
 */
export function mapCarried(
  exposure: Pick<DesiredExposure, "strategy" | "ports" | "cluster">,
  carried: readonly CarriedInstance[],
): (ObservedMapping & { loadBalancerId: string })[] {
  const { strategy, ports } = exposure;
  const zone = namedBalancerOf(strategy)?.zone ?? null;
  const mappings = carried.flatMap(({ balancer, instance: { name, ready, place }, isCarried }) => {
    const serverName = zone === null ? undefined : serverNameOf(name, zone);
    // Without a valid server name, clients can't request it.
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
