import { MapError } from "../errors.ts";
import { formatEndpoint, normalHost } from "../map/address.ts";
import type { AddressMapper } from "../mapper/address-mapper.ts";

/** Default ports of URLs that name no port. */
const defaultPorts: Record<string, number> = {
  "http:": 80,
  "https:": 443,
  "ws:": 80,
  "wss:": 443,
  "redis:": 6379,
  "rediss:": 6379,
  "amqp:": 5672,
  "amqps:": 5671,
  "mongodb:": 27017,
  "postgres:": 5432,
  "postgresql:": 5432,
  "mysql:": 3306,
  "nats:": 4222,
  "hotrod:": 11222,
};

/** rewriteUrl replaces the host and port of a URL with the external ones and keeps the rest. */
export function rewriteUrl(mapper: Pick<AddressMapper, "mapOrThrow">, url: string | URL): string {
  const text = String(url);
  const parts = /^([a-z][a-z0-9+.-]*:)\/\/((?:[^/?#@]*@)?)(\[[^\]]*\]|[^/?#:@]*)(?::(\d*))?(?=[/?#]|$)/i.exec(text);
  if (!parts)
    throw new MapError("invalid-option", "rewriteUrl() takes a URL with one host, such as redis://10.0.5.5:6379.");
  const [whole, scheme = "", user = "", host = "", digits] = parts;
  const port = digits ? Number(digits) : defaultPorts[scheme.toLowerCase()];
  if (port === undefined)
    throw new MapError("invalid-option", `${scheme}// has no known default port: add the port to the URL.`);
  const found = mapper.mapOrThrow(normalHost(host), port);
  // Return the URL unchanged if nothing was mapped.
  if (found.host === normalHost(host) && found.port === port) return text;
  return `${scheme}//${user}${formatEndpoint(found)}${text.slice(whole.length)}`;
}
