import { bracketed, formatEndpoint, isSix } from "../address/family.ts";
import type { AddressMap, AddressMapEntry } from "./address-map.ts";

// Maps as text. Names come from pods and hosts that we don't know, so each is quoted: nothing that one holds can become
// a key, a comment or another type.

/** writeMapJson is the map as programs read it. */
export function writeMapJson(map: AddressMap): string {
  return JSON.stringify(map);
}

/** writeMapYaml is the same, field by field. */
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
 * writeMapCompact is what the first published client reads: from one IP address to another, IPv6 in brackets. Of an instance
 * whose external address is only a host name, or that has to be asked for by name, it can't speak, so a comment does.
 */
export function writeMapCompact({ entries }: AddressMap): string {
  const pairs = new Map<string, string>();
  const named: string[] = [];
  const told = entries.filter((each) => each.serverName === undefined);
  for (const { instance, internalAddress, externalAddress } of told) {
    if (!isIp(externalAddress)) named.push(instance);
    else if (!pairs.has(internalAddress)) pairs.set(internalAddress, externalAddress);
  }
  const notes = [...new Set(named)].map(
    (each) => `# ${quote(each)} is reached by a host name, which this form can't say.`,
  );
  const byName = entries.filter((each) => each.serverName !== undefined).map((each) => each.instance);
  for (const each of new Set(byName))
    notes.push(`# ${quote(each)} is reached by a TLS server name, which this form can't say.`);
  const lines = [...pairs].map(
    ([internal, external]) => `    - ${quote(`${bracketed(internal)}:${bracketed(external)}`)}`,
  );
  const list = lines.length === 0 ? ["  external-mapping: []"] : ["  external-mapping:", ...lines];
  return `${[...notes, "runtime-configuration:", ...list].join("\n")}\n`;
}

/**
 * writeMapEnv is the map as variables for a shell or an env file: NAME='redis-0', a pair of ends for each port. Only what a
 * variable's name may hold is left of an instance's name.
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

/** A JSON string is a double-quoted scalar of YAML, once what YAML finds unprintable, or takes for the end of a line, is escaped. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''").replace(/[\r\n]/g, " ")}'`;
}

/** Not the schema's own test: a page that copies a map needs no validator. */
function isIp(address: string): boolean {
  return isSix(address) || /^\d{1,3}(\.\d{1,3}){3}$/.test(address);
}
