import { hostName, longestHostName } from "../address/host-name.ts";
import { replicasUsually } from "../load-balancer/instance-balancer.ts";
import type { ExposedPort } from "./exposed-port.ts";
import type { Strategy } from "./strategy.ts";

/** NamedBalancer is one balancer of ours in front of all instances, which routes TLS clients by server name. */
export type NamedBalancer = {
  replicas: number;
  /** Pool and zone are null only in specs stored before this addressing was supported. */
  poolId: string | null;
  zone: string | null;
};

/** namedBalancerOf returns the named balancer of a strategy; null if it doesn't route by server name. */
export function namedBalancerOf(strategy: Strategy): NamedBalancer | null {
  if (strategy.type !== "per-replica" || strategy.addressing !== "shared-sni") return null;
  const { replicas = replicasUsually, poolId = null, dnsZone = null } = strategy;
  return { replicas, poolId, zone: dnsZone };
}

/** serverNameOf is the server name (SNI) of an instance; null if its name isn't a valid host name. */
export function serverNameOf(instance: string, zone: string): string | null {
  // The name of a pod may include its namespace.
  const own = (instance.split("/").at(-1) ?? "").toLowerCase();
  const name = `${own}.${zone}`;
  return hostName.test(own) && name.length <= longestHostName ? name : null;
}

export type NamingProblem = {
  path: ["strategy", "poolId" | "dnsZone"] | ["ports", number, "protocol"];
  message: string;
};

/** findNamingProblem returns why instances can't be reached by server name with this spec, or null. */
export function findNamingProblem(
  strategy: Strategy,
  ports: readonly Partial<Pick<ExposedPort, "protocol">>[],
): NamingProblem | null {
  const named = namedBalancerOf(strategy);
  if (!named) return null;
  if (named.poolId === null)
    return {
      path: ["strategy", "poolId"],
      message: "the addressing shared-sni takes one address for all instances from a pool: choose one of the cluster's",
    };
  if (named.zone === null)
    return {
      path: ["strategy", "dnsZone"],
      message:
        "the addressing shared-sni names each instance in a zone: enter the zone that clients' names end with, such as games.example.com",
    };
  const udp = ports.findIndex(({ protocol }) => protocol === "udp");
  if (udp < 0) return null;
  return {
    path: ["ports", udp, "protocol"],
    message:
      "the addressing shared-sni reads the name out of TLS, which UDP has none of: choose tcp, or another addressing",
  };
}
