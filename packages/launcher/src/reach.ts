import os from "node:os";
import { Refusal } from "./refusal.ts";

/** Reach is by which host others reach us, and by which we reach ourselves. */
export type Reach = { others: string; ourselves: string };

type Interfaces = ReturnType<typeof os.networkInterfaces>;

/** Bridges and tunnels of containers: addresses that no other machine can dial. */
const inner = /^(docker|br-|veth|virbr|cni|flannel|cali|podman|lxc)/;

/**
 * reachOf answers where we can be dialled. A wildcard is an address to listen on, not one to dial, so it is replaced
 * by one that this machine has.
 */
export function reachOf(
  { host, url, gatewayUrl }: { host: string; url: string | null; gatewayUrl: string | null },
  interfaces: Interfaces = os.networkInterfaces(),
): Reach {
  if (host !== "0.0.0.0" && host !== "::") return { others: host, ourselves: host };
  const ourselves = host === "::" ? "::1" : "127.0.0.1";
  const others = routable(interfaces);
  if (others) return { others, ourselves };
  if (url && gatewayUrl) return { others: ourselves, ourselves };
  throw new Refusal(
    `HOST is ${host}, and this machine has no address that others could dial: name those that they shall use with FAIRLEAD_URL=http://… and FAIRLEAD_GATEWAY_URL=https://…, or set HOST to one address.`,
  );
}

function routable(interfaces: Interfaces): string | null {
  const addresses = Object.entries(interfaces).flatMap(([name, all = []]) =>
    inner.test(name) ? [] : all.filter((each) => !each.internal && !/^(169\.254\.|fe80:)/.test(each.address)),
  );
  const found = addresses.find((each) => each.family === "IPv4") ?? addresses[0];
  return found?.address ?? null;
}

export function urlOf(scheme: "http" | "https", host: string, port: number): string {
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
