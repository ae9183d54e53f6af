import { MapError } from "../errors.ts";
import { isHost } from "../map/address.ts";
import type { AddressMap, MappedPort } from "../map/address-map.ts";

/** The external address and ports of one instance, which it must announce to its clients. */
export type OwnEnds = {
  instance: string;
  internalAddress: string;
  externalAddress: string;
  ports: MappedPort[];
};

export type Family = 4 | 6;

/** The fields of a map entry that are needed, so that callers can pass them without a complete map. */
type Mapped = Pick<
  AddressMap["entries"][number],
  "instance" | "pod" | "internalAddress" | "externalAddress" | "serverName" | "ports"
>;

/**
 * ownEnds returns the external address and ports of an instance, or null while it has none. An instance with IPv4 and IPv6
 * addresses uses IPv4 unless another family is requested: a server can announce only one address. If instances share an
 * address and are distinguished by server name, the server announces that name, so the name must resolve to the address.
 */
export function ownEnds(entries: readonly Mapped[], instance: string, family: Family = 4): OwnEnds | null {
  const own = entries.filter((each) => isNamed(each, instance) && each.externalAddress);
  const first = own.find((each) => familyOf(each.internalAddress) === family) ?? own[0];
  if (!first?.externalAddress) return null;
  const { internalAddress, externalAddress, serverName } = first;
  const announced = serverName ?? externalAddress;
  // The value is written into configuration files: anything but an address or a name could inject other settings.
  if (!isHost(internalAddress) || !isHost(announced))
    throw new MapError("malformed", `${first.instance} has an address that is neither an address nor a name.`);
  const ports = own
    .filter((each) => each.internalAddress === internalAddress && each.externalAddress === externalAddress)
    .flatMap((each) => each.ports);
  return { instance: first.instance, internalAddress, externalAddress: announced, ports };
}

/** A pod can be named with or without its namespace. */
function isNamed({ instance, pod }: Mapped, name: string): boolean {
  return [instance, pod].some((each) => each === name || each?.split("/").at(-1) === name);
}

function familyOf(address: string): Family {
  return address.includes(":") ? 6 : 4;
}
