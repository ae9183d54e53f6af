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
 * express host names, TLS server names and other ports outside, so such instances are named in comments.
 */
export function writeMapCompact({ entries }: AddressMap): string {
  const pairs = new Map<string, string>();
  const named: string[] = [];
  const translated: string[] = [];
  const byAddress = entries.filter((each) => each.serverName === undefined);
  for (const { instance, internalAddress, externalAddress, ports } of byAddress) {
    if (!isIp(externalAddress)) named.push(instance);
    else if (!pairs.has(internalAddress)) {
      pairs.set(internalAddress, externalAddress);
      if (ports.some(({ internal, external }) => internal !== external)) translated.push(instance);
    }
  }
  const byName = entries.filter((each) => each.serverName !== undefined).map((each) => each.instance);
  const notes = [
    ...notesOn(named, "is reached by a host name, which this format doesn't support."),
    ...notesOn(byName, "is reached by a TLS server name, which this format doesn't support."),
    ...notesOn(translated, "has other ports outside, which this format doesn't support."),
  ];
  const lines = [...pairs].map(
    ([internal, external]) => `    - ${quote(`${bracketed(internal)}:${bracketed(external)}`)}`,
  );
  const list = lines.length === 0 ? ["  external-mapping: []"] : ["  external-mapping:", ...lines];
  return `${[...notes, "runtime-configuration:", ...list].join("\n")}\n`;
}

function notesOn(instances: readonly string[], note: string): string[] {
  return [...new Set(instances)].map((each) => `# ${quote(each)} ${note}`);
}

/**
 * writeMapEnv returns the map as variables for a shell or an env file, one pair of ends for each port. In the names of
 * variables, other characters of an instance's name become underscores. Where two names become equal, the later one has
 * a number, because the last variable of a name would hide all others.
 */
export function writeMapEnv({ exposureId, generation, entries }: AddressMap): string {
  const variables = new Map([
    ["MAP_EXPOSURE", shellQuote(exposureId)],
    ["MAP_GENERATION", String(generation)],
  ]);
  for (const entry of entries) {
    const name = `MAP_${entry.instance.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
    const ofPorts = entry.ports.map(({ protocol, internal, external }) => {
      const ends = `${formatEndpoint(entry.internalAddress, internal)}=${formatEndpoint(entry.externalAddress, external)}`;
      const suffix = entry.ports.length > 1 ? `_${internal}${protocol === "udp" ? "_UDP" : ""}` : "";
      return { suffix, value: shellQuote(ends) };
    });
    const free = freeName(name, (each) => ofPorts.every(({ suffix }) => !variables.has(`${each}${suffix}`)));
    for (const { suffix, value } of ofPorts)
      variables.set(
        freeName(`${free}${suffix}`, (each) => !variables.has(each)),
        value,
      );
  }
  return [...variables].map(([name, value]) => `${name}=${value}\n`).join("");
}

/** freeName numbers a name from 2 on until it is free. It ends, because only as many are taken as there are variables. */
function freeName(name: string, isFree: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; !isFree(free); number++) free = `${name}_${number}`;
  return free;
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
