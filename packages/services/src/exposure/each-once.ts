import type { ObservedLoadBalancer } from "@fairlead/domain/exposure";

/**
 * eachOnce keeps one observation of each backend of a balancer, and of each internal end that a client may request in
 * the whole exposure: the last one. Only that can be stored, so only that is compared with what is stored.
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
