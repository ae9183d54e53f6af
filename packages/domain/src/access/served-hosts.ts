import { isAddress } from "../address/address.ts";
import { hostName, longestHostName } from "../address/host-name.ts";

/** readHosts parses FAIRLEAD_ALLOWED_HOSTS: comma-separated host names, without ports. */
export function readHosts(text: string | undefined): string[] | { problem: string } {
  const names = (text ?? "").split(",").flatMap((each) => each.trim().toLowerCase() || []);
  const wrong = names.find((name) => name.length > longestHostName || !hostName.test(name));
  return wrong === undefined ? names : { problem: `enter host names without scheme and port; "${wrong}" is not one` };
}

/**
 * isServedHost reports whether a Host header may name us. A page of another site can point its own name at our address,
 * also at one on loopback or behind a firewall, and the browser then treats our responses as its own. So names must be
 * known. Addresses can't be redirected that way, so that any address is fine, such as one of a container's host.
 */
export function isServedHost(header: string, names: readonly string[]): boolean {
  const [, six, host = ""] = /^(?:\[([0-9a-f:.]+)\]|([^:]+))(?::\d{1,5})?$/i.exec(header) ?? [];
  if (six !== undefined) return isAddress(six);
  const name = host.toLowerCase().replace(/\.$/, "");
  return isAddress(name) || name === "localhost" || name.endsWith(".localhost") || names.includes(name);
}
