import { bracketed, formatEndpoint, isSix } from "../address/family.ts";
import type { AddressMap, AddressMapEntry } from "./address-map.ts";

// Address maps as text. Names of pods and hosts are untrusted, so each is quoted: its content can't become a key, a
// comment or another type.

/** writeMapJson returns the map as JSON. */
export function writeMapJson(map: AddressMap): string {
  return JSON.stringify(map);
}

/** writeMapYaml returns the same fields as YAML. */
export function writeMapYaml({ exposureId, generation, observedAt, entries }: AddressMap): string {
  const head = [
    `exposureId: ${quote(exposureId)}`,
    `generation: ${generation}`,
    `observedAt: ${observedAt ? quote(observedAt.toISOString()) : "null"}`,
  ];
  const list = entries.length === 0 ? ["entries: []"] : ["entries:", ...entries.flatMap(entryLines)];
  return `${[...head, ...list].join("\n")}\n`;
}

/**
 * writeMapCompact returns the format of the first published client: pairs of IP addresses, IPv6 in brackets. It can't
 * express host names and TLS server names, so such instances are named in comments.
 */
export function writeMapCompact({ entries }: AddressMap): string {
  const pairs = new Map<string, string>();
  const named: string[] = [];
  const byAddress = entries.filter((each) => each.serverName === undefined);
  for (const { instance, internalAddress, externalAddress } of byAddress) {
    if (!isIp(externalAddress)) named.push(instance);
    else if (!pairs.has(internalAddress)) pairs.set(internalAddress, externalAddress);
  }
  const notes = [...new Set(named)].map(
    (each) => `# ${quote(each)} is reached by a host name, which this format doesn't support.`,
  );
  const byName = entries.filter((each) => each.serverName !== undefined).map((each) => each.instance);
  for (const each of new Set(byName))
    notes.push(`# ${quote(each)} is reached by a TLS server name, which this format doesn't support.`);
  const lines = [...pairs].map(
    ([internal, external]) => `    - ${quote(`${bracketed(internal)}:${bracketed(external)}`)}`,
  );
  const list = lines.length === 0 ? ["  external-mapping: []"] : ["  external-mapping:", ...lines];
  return `${[...notes, "runtime-configuration:", ...list].join("\n")}\n`;
}

/**
 * writeMapEnv returns the map as variables for a shell or an env file, one pair of ends for each port. In the names of
 * variables, other characters of an instance's name become underscores.
 */
export function writeMapEnv({ exposureId, generation, entries }: AddressMap): string {
  const names = new Map<string, number>();
  const lines = entries.flatMap((entry) => {
    const plain = entry.instance.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
    const count = (names.get(plain) ?? 0) + 1;
    names.set(plain, count);
    const name = count === 1 ? plain : `${plain}_${count}`;
    return entry.ports.map(({ protocol, internal, external }) => {
      const suffix = entry.ports.length > 1 ? `_${internal}${protocol === "udp" ? "_UDP" : ""}` : "";
      const ends = `${formatEndpoint(entry.internalAddress, internal)}=${formatEndpoint(entry.externalAddress, external)}`;
      return `MAP_${name}${suffix}=${shellQuote(ends)}`;
    });
  });
  return `${[`MAP_EXPOSURE=${shellQuote(exposureId)}`, `MAP_GENERATION=${generation}`, ...lines].join("\n")}\n`;
}

function entryLines(entry: AddressMapEntry): string[] {
  const { instance, pod, node, internalAddress, externalAddress, serverName, ports } = entry;
  const { ready, since, generation } = entry;
  return [
    `  - instance: ${quote(instance)}`,
    `    pod: ${orNull(pod)}`,
    `    node: ${orNull(node)}`,
    `    internalAddress: ${quote(internalAddress)}`,
    `    externalAddress: ${quote(externalAddress)}`,
    ...(serverName === undefined ? [] : [`    serverName: ${quote(serverName)}`]),
    "    ports:",
    ...ports.map(({ name, protocol, internal, external }) => {
      const named = name === undefined ? "" : `name: ${quote(name)}, `;
      return `      - { ${named}protocol: ${protocol}, internal: ${internal}, external: ${external} }`;
    }),
    `    ready: ${ready}`,
    `    since: ${quote(since.toISOString())}`,
    `    generation: ${generation}`,
  ];
}

function orNull(text: string | null): string {
  return text === null ? "null" : quote(text);
}

/** A JSON string is a double-quoted YAML scalar, if characters that are unprintable or line breaks in YAML are escaped. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''").replace(/[\r\n]/g, " ")}'`;
}

/** Not by the schema, so that pages which copy a map don't load zod. */
function isIp(address: string): boolean {
  return isSix(address) || /^\d{1,3}(\.\d{1,3}){3}$/.test(address);
}
