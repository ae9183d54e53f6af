import { MapError } from "../errors.ts";
import { isHost } from "../map/address.ts";
import type { AddressMap, MappedPort } from "../map/address-map.ts";

/** One instance as it is reached from outside: what it must tell its clients. */
export type OwnEnds = {
  instance: string;
  internalAddress: string;
  externalAddress: string;
  ports: MappedPort[];
};

export type Family = 4 | 6;

/** What is needed of a map, so that a driver can say it without a map. */
type Mapped = Pick<
  AddressMap["entries"][number],
  "instance" | "pod" | "internalAddress" | "externalAddress" | "serverName" | "ports"
>;

/**
 * ownEnds answers how an instance is reached from outside, or null while it is not. An instance with two families of
 * addresses is taken by IPv4 unless another family is asked for: a server can announce one address only. Where instances share an
 * address and are told apart by server names, that is what it announces, and the name has to lead to the address.
 */
export function ownEnds(entries: readonly Mapped[], instance: string, family: Family = 4): OwnEnds | null {
  const own = entries.filter((each) => isNamed(each, instance) && each.externalAddress);
  const first = own.find((each) => familyOf(each.internalAddress) === family) ?? own[0];
  if (!first?.externalAddress) return null;
  const { internalAddress, externalAddress, serverName } = first;
  const announced = serverName ?? externalAddress;
  // It goes into configurations, where anything but an address or a name would say more than that.
  if (!isHost(internalAddress) || !isHost(announced))
    throw new MapError("malformed", `${first.instance} has an address that is neither an address nor a name.`);
  const ports = own
    .filter((each) => each.internalAddress === internalAddress && each.externalAddress === externalAddress)
    .flatMap((each) => each.ports);
  return { instance: first.instance, internalAddress, externalAddress: announced, ports };
}

/** A pod is known by its name, with its namespace or without. */
function isNamed({ instance, pod }: Mapped, name: string): boolean {
  return [instance, pod].some((each) => each === name || each?.split("/").at(-1) === name);
}

function familyOf(address: string): Family {
  return address.includes(":") ? 6 : 4;
}
