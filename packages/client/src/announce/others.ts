import { formatEndpoint } from "../map/address.ts";
import { externalPort, needExternalPort } from "./find-port.ts";
import type { OwnEnds } from "./own-ends.ts";

/** announceInfinispan returns the element of a server's configuration that sets the address for Hot Rod clients. */
export function announceInfinispan(own: OwnEnds, { port = 11_222 }: { port?: number } = {}): string {
  const external = needExternalPort(own, port, "where Hot Rod clients connect");
  return `<hotrod-connector external-host="${own.externalAddress}" external-port="${external}"/>\n`;
}

/**
 * announceElasticsearch returns lines for elasticsearch.yml. Traffic between nodes stays internal unless the transport
 * port is exposed too.
 */
export function announceElasticsearch(
  own: OwnEnds,
  { port = 9_200, transportPort = 9_300 }: { port?: number; transportPort?: number } = {},
): string {
  const http = needExternalPort(own, port, "where clients connect");
  const transport = externalPort(own, transportPort);
  const lines = [`http.publish_host: "${own.externalAddress}"`, `http.publish_port: ${http}`];
  if (transport !== undefined)
    lines.push(`transport.publish_host: "${own.externalAddress}"`, `transport.publish_port: ${transport}`);
  return `${lines.join("\n")}\n`;
}

/** announceEnv returns variables: EXTERNAL_HOST, and EXTERNAL_PORT_<name or internal port> for each port. */
export function announceEnv(own: OwnEnds, { prefix = "EXTERNAL" }: { prefix?: string } = {}): string {
  const lines = [`${prefix}_HOST=${own.externalAddress}`];
  for (const { name, internal, external, protocol } of own.ports) {
    const word = (name ?? `${internal}${protocol === "tcp" ? "" : `_${protocol}`}`)
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, "_");
    lines.push(`${prefix}_PORT_${word}=${external}`);
  }
  return `${lines.join("\n")}\n`;
}

/** announceJson returns all fields, for formats that this package doesn't support. */
export function announceJson(own: OwnEnds): string {
  const ports = own.ports.map((each) => ({
    ...each,
    endpoint: formatEndpoint({ host: own.externalAddress, port: each.external }),
  }));
  return `${JSON.stringify({ ...own, ports }, null, 2)}\n`;
}
