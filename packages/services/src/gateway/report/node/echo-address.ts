import { isIP, isIPv4 } from "node:net";

const addressWithPort = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<v4>[\d.]+)):(?<port>\d{1,5})$/;

/**
 * checkEchoAddress returns an empty address for one that other nodes can't send to, because their agents get it in their
 * config: a loopback address would be their own.
 */
export function checkEchoAddress(reported: string): string {
  const { v4, v6, port } = addressWithPort.exec(reported)?.groups ?? {};
  const address = v6 ?? v4 ?? "";
  const isReachable =
    isIP(address) === (v6 ? 6 : 4) && !(isIPv4(address) ? notReachableV4 : notReachableV6).test(address);
  return isReachable && Number(port) >= 1 && Number(port) <= 65_535 ? reported : "";
}

/** Unspecified, loopback, link-local and multicast. */
const notReachableV4 = /^(0|127|169\.254|22[4-9]|2[3-5]\d)\./;
const notReachableV6 = /^(::1?$|::ffff:|fe[89ab]|ff)/;
