import type { ObservedLoadBalancer } from "@fairlead/domain/exposure";

/**
 * eachOnce leaves one sighting of each backend of a balancer, and of each internal end that a client may ask for in the
 * whole exposure: the last one. That is what can be stored, so only that is compared with what is.
 */
export function eachOnce(seen: ObservedLoadBalancer[]): ObservedLoadBalancer[] {
  const mappings = new Map(
    seen.flatMap((each) =>
      each.mappings.map((mapping) => [
        `${mapping.protocol} ${mapping.internalAddress} ${mapping.internalPort}`,
        { mapping, of: each.id },
      ]),
    ),
  );
  const kept = Map.groupBy(mappings.values(), ({ of }) => of);
  return seen.map((each) => ({
    ...each,
    backends: [
      ...new Map(
        each.backends.map((backend) => [`${backend.protocol} ${backend.address} ${backend.port}`, backend]),
      ).values(),
    ],
    mappings: (kept.get(each.id) ?? []).map(({ mapping }) => mapping),
  }));
}
