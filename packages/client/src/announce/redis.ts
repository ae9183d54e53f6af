import { MapError } from "../errors.ts";
import { externalPort, needExternalPort } from "./find-port.ts";
import type { OwnEnds } from "./own-ends.ts";

export type RedisAnnouncement = {
  port?: number;
  tlsPort?: number;
  busPort?: number;
  /**
   * By which addresses nodes speak to each other. "external" (the default) announces the external address to everybody,
   * so the bus has to be exposed too. "internal" keeps the address of the pod between nodes and gives clients the
   * external one as the preferred endpoint (Redis 7); the port outside then has to be the one inside.
   */
  between?: "external" | "internal";
};

/** Redis cuts off what is longer, and tells clients the rest as if it were all; names that clouds give are. */
const mostAddress = 45;

/** announceRedis writes what a node of a Redis Cluster has in its redis.conf. */
export function announceRedis(own: OwnEnds, options: RedisAnnouncement = {}): string {
  const { port = 6379, tlsPort, between = "external" } = options;
  const { busPort = port + 10_000 } = options;
  return between === "external" ? announceOutside(own, port, tlsPort, busPort) : announceBoth(own, tlsPort ?? port);
}

function announceOutside(own: OwnEnds, port: number, tlsPort: number | undefined, busPort: number): string {
  const bus = needExternalPort(own, busPort, "which is the cluster bus: expose it too, or keep it between the pods");
  const { externalAddress } = own;
  if (externalAddress.length > mostAddress)
    throw new MapError(
      "invalid-option",
      `Redis announces ${mostAddress} characters of an address at most, and ${externalAddress} has ${externalAddress.length}: keep the pods' own addresses between nodes, or make a shorter name lead there.`,
    );
  const lines = [`cluster-announce-ip ${externalAddress}`];
  if (tlsPort === undefined)
    lines.push(`cluster-announce-port ${needExternalPort(own, port, "where clients of Redis connect")}`);
  else {
    const tls = needExternalPort(own, tlsPort, "where clients of Redis connect by TLS");
    // A node that has both tells of both; 0 says that there is only TLS.
    lines.push(`cluster-announce-tls-port ${tls}`, `cluster-announce-port ${externalPort(own, port) ?? 0}`);
  }
  lines.push(`cluster-announce-bus-port ${bus}`);
  return `${lines.join("\n")}\n`;
}

function announceBoth(own: OwnEnds, port: number): string {
  const outside = needExternalPort(own, port, "where clients of Redis connect");
  if (outside !== port)
    throw new MapError(
      "invalid-option",
      `Redis announces one port to clients and nodes, and ${own.instance} has ${outside} outside and ${port} inside: expose ${port} as ${port}, or let nodes speak by external addresses too.`,
    );
  return [
    `cluster-announce-ip ${own.internalAddress}`,
    `cluster-announce-hostname ${own.externalAddress}`,
    "cluster-preferred-endpoint-type hostname",
    "",
  ].join("\n");
}
