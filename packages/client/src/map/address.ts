import { BlockList, isIP, isIPv6 } from "node:net";

/** A host and a port. */
export type Endpoint = {
  host: string;
  port: number;
  /** The TLS server name (SNI), if several servers share the endpoint. */
  serverName?: string;
};

const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*$/;

/** normalHost returns the canonical form of an address or a name: no brackets, lower case, short IPv6. */
export function normalHost(host: string): string {
  const bare = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  if (!bare.includes(":")) return bare.toLowerCase().replace(/\.$/, "");
  return isIPv6(bare) ? canonicalIPv6(bare) : bare.toLowerCase();
}

/** isHost returns whether a text is an address or a name that can be dialled, without any other characters. */
export function isHost(host: string): boolean {
  return isIP(host) !== 0 ? !host.includes("%") : hostName.test(host.toLowerCase());
}

export function isPort(port: unknown): port is number {
  return typeof port === "number" && Number.isInteger(port) && port >= 1 && port <= 65_535;
}

/** formatEndpoint writes host:port; an IPv6 address in brackets. */
export function formatEndpoint({ host, port }: Endpoint): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** parseEndpoint parses host:port. An IPv6 address may have no brackets, as Redis clients write it. */
export function parseEndpoint(text: string): Endpoint | null {
  const at = text.lastIndexOf(":");
  const digits = text.slice(at + 1);
  const host = normalHost(text.slice(0, Math.max(at, 0)));
  const port = /^\d{1,5}$/.test(digits) ? Number(digits) : 0;
  return isHost(host) && isPort(port) ? { host, port } : null;
}

/** networksOf returns a list of the networks in CIDR notation, or the first text that isn't one. */
export function networksOf(networks: readonly string[]): { list: BlockList } | { invalid: string } {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits = "", ...rest] = network.split("/");
    const family = isIP(address);
    const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (family === 0 || rest.length > 0 || !(prefix >= 0 && prefix <= (family === 6 ? 128 : 32)))
      return { invalid: network };
    list.addSubnet(address, prefix, family === 6 ? "ipv6" : "ipv4");
  }
  return { list };
}

/** The URL parser returns the short form. An IPv4-mapped IPv6 address becomes the IPv4 address, as in sockets. */
function canonicalIPv6(address: string): string {
  const [plain = "", zone] = address.split("%");
  const short = new URL(`http://[${plain}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short);
  if (!mapped) return zone === undefined ? short : `${short}%${zone}`;
  const [high, low] = [Number.parseInt(mapped[1] ?? "", 16), Number.parseInt(mapped[2] ?? "", 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
