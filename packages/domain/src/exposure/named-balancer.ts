import { hostName, longestHostName } from "../address/host-name.ts";
import { replicasUsually } from "../load-balancer/instance-balancer.ts";
import type { ExposedPort } from "./exposed-port.ts";
import type { Strategy } from "./strategy.ts";

/** NamedBalancer is the one balancer of ours in front of all instances, which tells TLS clients apart by whom they ask for. */
export type NamedBalancer = {
  replicas: number;
  /** Only a spec that was stored before it could be made lacks the pool or the zone. */
  poolId: string | null;
  zone: string | null;
};

/** namedBalancerOf is what a strategy has of that; null where instances are told apart otherwise. */
export function namedBalancerOf(strategy: Strategy): NamedBalancer | null {
  if (strategy.type !== "per-replica" || strategy.addressing !== "shared-sni") return null;
  const { replicas = replicasUsually, poolId = null, dnsZone = null } = strategy;
  return { replicas, poolId, zone: dnsZone };
}

/** serverNameOf is what a TLS client asks for that wants an instance; null for one whose name can be no host's. */
export function serverNameOf(instance: string, zone: string): string | null {
  // A pod may be told with its namespace.
  const own = (instance.split("/").at(-1) ?? "").toLowerCase();
  const name = `${own}.${zone}`;
  return hostName.test(own) && name.length <= longestHostName ? name : null;
}

export type NamingProblem = {
  path: ["strategy", "poolId" | "dnsZone"] | ["ports", number, "protocol"];
  message: string;
};

/** findNamingProblem says what is missing to tell instances apart by their names, or in the way of it; null where all is well. */
export function findNamingProblem(
  strategy: Strategy,
  ports: readonly Partial<Pick<ExposedPort, "protocol">>[],
): NamingProblem | null {
  const named = namedBalancerOf(strategy);
  if (!named) return null;
  if (named.poolId === null)
    return {
      path: ["strategy", "poolId"],
      message: "the addressing shared-sni takes one address for all from a pool: choose one of the cluster's",
    };
  if (named.zone === null)
    return {
      path: ["strategy", "dnsZone"],
      message:
        "the addressing shared-sni names each instance in a zone: give one that clients' names end with, such as games.example.com",
    };
  const udp = ports.findIndex(({ protocol }) => protocol === "udp");
  if (udp < 0) return null;
  return {
    path: ["ports", udp, "protocol"],
    message:
      "the addressing shared-sni reads the name out of TLS, which UDP has none of: choose tcp, or another addressing",
  };
}
