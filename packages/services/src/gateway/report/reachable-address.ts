import { BlockList, isIPv4, isIPv6 } from "node:net";

const addressWithPort = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<v4>[\d.]+)):(?<port>\d{1,5})$/;

/**
 * checkReachableAddress returns an empty address for one that other nodes can't send to, because their agents get it in their
 * config: they reject a config with an invalid address, and a loopback address would be their own.
 */
export function checkReachableAddress(reported: string): string {
  const { v4, v6, port } = addressWithPort.exec(reported)?.groups ?? {};
  const isReachable = v6
    ? isIPv6(v6) && !notReachable.v6.check(v6, "ipv6")
    : isIPv4(v4 ?? "") && !notReachable.v4.check(v4 ?? "", "ipv4");
  return isReachable && Number(port) >= 1 && Number(port) <= 65_535 ? reported : "";
}

/** Compared as numbers: ::1 has many spellings. Two lists, because a rule for ::ffff:0:0 would match all IPv4 addresses. */
const notReachable = { v4: new BlockList(), v6: new BlockList() };
for (const [network, prefix] of [
  ["0.0.0.0", 8], // unspecified
  ["127.0.0.0", 8], // loopback
  ["169.254.0.0", 16], // link-local, with the metadata of clouds
  ["224.0.0.0", 3], // multicast, reserved and broadcast
] as const)
  notReachable.v4.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 96], // unspecified, loopback, and IPv4 addresses in the deprecated form ::127.0.0.1
  ["::ffff:0:0", 96], // IPv4 addresses
  ["fe80::", 10], // link-local
  ["ff00::", 8], // multicast
] as const)
  notReachable.v6.addSubnet(network, prefix, "ipv6");
