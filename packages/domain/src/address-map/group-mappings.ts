import type { ExposedPort } from "../exposure/exposed-port.ts";
import type { AddressMapEntry, AddressMapping } from "./address-map.ts";

type Mapped = Pick<
  AddressMapping,
  | "instance"
  | "pod"
  | "node"
  | "protocol"
  | "internalAddress"
  | "internalPort"
  | "externalAddress"
  | "externalPort"
  | "serverName"
  | "ready"
  | "since"
  | "generation"
>;

/**
 * groupMappings builds the entries of an address map: one for each instance and pair of addresses, with all ports.
 * Mappings without an external address are omitted.
 */
export function groupMappings(mappings: readonly Mapped[], exposed: readonly ExposedPort[]): AddressMapEntry[] {
  const groups = Map.groupBy(
    mappings.filter((each) => each.externalAddress),
    ({ instance, internalAddress, externalAddress }) => JSON.stringify([instance, internalAddress, externalAddress]),
  );
  return [...groups.values()].flatMap((group) => join(group, exposed)).sort(byInstance);
}

function join(group: Mapped[], exposed: readonly ExposedPort[]): AddressMapEntry[] {
  const [first] = group;
  if (!first?.externalAddress) return [];
  const { instance, pod, node, internalAddress, externalAddress, serverName } = first;
  return [
    {
      ...{ instance, pod, node, internalAddress, externalAddress },
      ...(serverName === null ? {} : { serverName }),
      ports: group
        .map((each) => portOf(each, exposed))
        .sort((a, b) => a.internal - b.internal || a.external - b.external),
      ready: group.every((each) => each.ready),
      since: new Date(Math.max(...group.map((each) => each.since.getTime()))),
      generation: Math.max(...group.map((each) => each.generation)),
    },
  ];
}

function portOf({ protocol, internalPort, externalPort }: Mapped, exposed: readonly ExposedPort[]) {
  const name = exposed.find(
    (each) => each.protocol === protocol && (each.targetPort ?? each.port) === internalPort,
  )?.name;
  return { ...(name === undefined ? {} : { name }), protocol, internal: internalPort, external: externalPort };
}

/** Sorts numbers by value: redis-2 before redis-10. */
function byInstance(a: AddressMapEntry, b: AddressMapEntry): number {
  return (
    collator.compare(a.instance, b.instance) ||
    collator.compare(a.internalAddress, b.internalAddress) ||
    collator.compare(a.externalAddress, b.externalAddress)
  );
}

const collator = new Intl.Collator("en", { numeric: true });
