import os from "node:os";
import { Refusal } from "../refusal.ts";

/** Reach is the host by which other machines reach this one, and by which its own programs do. */
export type Reach = { others: string; ourselves: string };

type Interfaces = ReturnType<typeof os.networkInterfaces>;

/** Container bridges and tunnels: other machines can't reach their addresses. */
const inner = /^(docker|br-|veth|virbr|cni|flannel|cali|podman|lxc)/;

/**
 * reachOf returns the hosts to connect to. A wildcard address can be listened on but not connected to, so it is
 * replaced with an address of this machine.
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
    `HOST is ${host}, but this machine has no address that other machines can reach. Set FAIRLEAD_URL=http://… and FAIRLEAD_GATEWAY_URL=https://…, or set HOST to one address.`,
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
