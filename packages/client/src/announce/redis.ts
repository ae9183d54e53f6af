import { MapError } from "../errors.ts";
import { externalPort, needExternalPort } from "./find-port.ts";
import type { OwnEnds } from "./own-ends.ts";

export type RedisAnnouncement = {
  port?: number;
  tlsPort?: number;
  busPort?: number;
  /**
   * Which addresses nodes use among themselves. "external" (the default) announces the external address to clients and
   * nodes, so the bus must be exposed too. "internal" keeps the pod address between nodes and announces the external
   * one to clients as the preferred endpoint (Redis 7); the external port must then equal the internal port.
   */
  between?: "external" | "internal";
};

/** Redis silently truncates longer addresses and announces the truncated one. Names assigned by clouds can be longer. */
const maxAddressLength = 45;

/** announceRedis returns the cluster-announce lines for the redis.conf of a Redis Cluster node. */
export function announceRedis(own: OwnEnds, options: RedisAnnouncement = {}): string {
  const { port = 6379, tlsPort, between = "external" } = options;
  const { busPort = port + 10_000 } = options;
  return between === "external" ? announceOutside(own, port, tlsPort, busPort) : announceBoth(own, tlsPort ?? port);
}

function announceOutside(own: OwnEnds, port: number, tlsPort: number | undefined, busPort: number): string {
  const bus = needExternalPort(
    own,
    busPort,
    "the cluster bus port: expose it too, or use internal addresses between nodes (--between internal)",
  );
  const { externalAddress } = own;
  if (externalAddress.length > maxAddressLength)
    throw new MapError(
      "invalid-option",
      `Redis announces addresses of at most ${maxAddressLength} characters, and ${externalAddress} has ${externalAddress.length}: use internal addresses between nodes, or a shorter DNS name for this address.`,
    );
  const lines = [`cluster-announce-ip ${externalAddress}`];
  if (tlsPort === undefined)
    lines.push(`cluster-announce-port ${needExternalPort(own, port, "the port for Redis clients")}`);
  else {
    const tls = needExternalPort(own, tlsPort, "the port for Redis clients with TLS");
    // A node with both ports announces both; 0 means that there is only TLS.
    lines.push(`cluster-announce-tls-port ${tls}`, `cluster-announce-port ${externalPort(own, port) ?? 0}`);
  }
  lines.push(`cluster-announce-bus-port ${bus}`);
  return `${lines.join("\n")}\n`;
}

function announceBoth(own: OwnEnds, port: number): string {
  const outside = needExternalPort(own, port, "the port for Redis clients");
  if (outside !== port)
    throw new MapError(
      "invalid-option",
      `Redis announces the same port to clients and nodes, but ${own.instance} has external port ${outside} and internal port ${port}: expose ${port} as ${port}, or use external addresses between nodes.`,
    );
  return [
    `cluster-announce-ip ${own.internalAddress}`,
    `cluster-announce-hostname ${own.externalAddress}`,
    "cluster-preferred-endpoint-type hostname",
    "",
  ].join("\n");
}
