import { MapError } from "../errors.ts";
import { formatEndpoint, normalHost } from "../map/address.ts";
import type { AddressMapper } from "../mapper/address-mapper.ts";

/** What a URL means that names no port. */
const usualPorts: Record<string, number> = {
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

/** rewriteUrl puts the external host and port into a URL and leaves all else of it. */
export function rewriteUrl(mapper: Pick<AddressMapper, "mapOrThrow">, url: string | URL): string {
  const text = String(url);
  const parts = /^([a-z][a-z0-9+.-]*:)\/\/((?:[^/?#@]*@)?)(\[[^\]]*\]|[^/?#:@]*)(?::(\d*))?(?=[/?#]|$)/i.exec(text);
  if (!parts)
    throw new MapError("invalid-option", "rewriteUrl() takes a URL of one host, such as redis://10.0.5.5:6379.");
  const [whole, scheme = "", user = "", host = "", digits] = parts;
  const port = digits ? Number(digits) : usualPorts[scheme.toLowerCase()];
  if (port === undefined)
    throw new MapError("invalid-option", `Which port ${scheme}// means is not known: write it into the URL.`);
  const found = mapper.mapOrThrow(normalHost(host), port);
  // As it was, where nothing is mapped.
  if (found.host === normalHost(host) && found.port === port) return text;
  return `${scheme}//${user}${formatEndpoint(found)}${text.slice(whole.length)}`;
}
