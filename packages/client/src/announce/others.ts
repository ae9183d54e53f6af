import { formatEndpoint } from "../map/address.ts";
import { externalPort, needExternalPort } from "./find-port.ts";
import type { OwnEnds } from "./own-ends.ts";

/** announceInfinispan writes the element of a server's configuration that tells Hot Rod clients where it is. */
export function announceInfinispan(own: OwnEnds, { port = 11_222 }: { port?: number } = {}): string {
  const external = needExternalPort(own, port, "where Hot Rod clients connect");
  return `<hotrod-connector external-host="${own.externalAddress}" external-port="${external}"/>\n`;
}

/**
 * announceElasticsearch writes the lines of an elasticsearch.yml. What nodes say to each other stays inside unless their
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

/** announceEnv writes variables: EXTERNAL_HOST, and for each port EXTERNAL_PORT_ with its name, or its number inside. */
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

/** announceJson writes all of it, for whoever makes something of their own. */
export function announceJson(own: OwnEnds): string {
  const ports = own.ports.map((each) => ({
    ...each,
    endpoint: formatEndpoint({ host: own.externalAddress, port: each.external }),
  }));
  return `${JSON.stringify({ ...own, ports }, null, 2)}\n`;
}
