import { MapError } from "../errors.ts";
import { isHost, isPort, normalHost } from "./address.ts";
import type { AddressMap, AddressMapEntry, MappedPort } from "./address-map.ts";

type Fields = Record<string, unknown>;

/**
 * readMap validates a map and names the field that is wrong: an incomplete map would send clients to wrong addresses.
 * Unknown fields are dropped, because the control plane may be newer.
 */
export function readMap(value: unknown, maxEnds: number): AddressMap {
  const map = fields(value, "the map");
  if (!Array.isArray(map.entries)) throw malformed("entries", "a list");
  const ends = map.entries.reduce<number>((sum, each) => sum + portsOf(each), 0);
  if (ends > maxEnds)
    throw new MapError("too-large", `The map has ${ends} ports, but maxEnds is ${maxEnds}: raise the limit.`);
  return {
    exposureId: text(map.exposureId, "exposureId"),
    name: optionalText(map.name, "name") ?? "",
    generation: count(map.generation, "generation"),
    observedAt: optionalText(map.observedAt, "observedAt"),
    entries: map.entries.map(readEntry),
  };
}

function readEntry(value: unknown, index: number): AddressMapEntry {
  const at = `entries[${index}]`;
  const entry = fields(value, at);
  if (!Array.isArray(entry.ports)) throw malformed(`${at}.ports`, "a list");
  const externalAddress = optionalText(entry.externalAddress, `${at}.externalAddress`);
  const serverName = optionalText(entry.serverName, `${at}.serverName`);
  return {
    instance: text(entry.instance, `${at}.instance`),
    pod: optionalText(entry.pod, `${at}.pod`),
    node: optionalText(entry.node, `${at}.node`),
    internalAddress: host(entry.internalAddress, `${at}.internalAddress`),
    externalAddress: externalAddress ? host(externalAddress, `${at}.externalAddress`) : null,
    ...(serverName ? { serverName: host(serverName, `${at}.serverName`) } : {}),
    ports: entry.ports.map((port, i) => readPort(port, `${at}.ports[${i}]`)),
    ready: entry.ready === true,
    since: optionalText(entry.since, `${at}.since`),
    generation: count(entry.generation ?? 0, `${at}.generation`),
  };
}

function readPort(value: unknown, at: string): MappedPort {
  const port = fields(value, at);
  return {
    name: optionalText(port.name, `${at}.name`),
    protocol: (optionalText(port.protocol, `${at}.protocol`) ?? "tcp").toLowerCase(),
    internal: portNumber(port.internal, `${at}.internal`),
    external: portNumber(port.external, `${at}.external`),
  };
}

function portsOf(entry: unknown): number {
  const ports = entry && typeof entry === "object" && "ports" in entry ? entry.ports : null;
  return Math.max(1, Array.isArray(ports) ? ports.length : 1);
}

function fields(value: unknown, at: string): Fields {
  if (!value || typeof value !== "object" || Array.isArray(value)) throw malformed(at, "an object");
  return value as Fields;
}

function text(value: unknown, at: string): string {
  if (typeof value !== "string" || value === "" || value.length > 1_024) throw malformed(at, "a string");
  return value;
}

function optionalText(value: unknown, at: string): string | null {
  if (value === undefined || value === null || value === "") return null;
  return text(value, at);
}

function host(value: unknown, at: string): string {
  const spelled = normalHost(text(value, at));
  if (!isHost(spelled)) throw malformed(at, "an address or a name");
  return spelled;
}

function portNumber(value: unknown, at: string): number {
  if (!isPort(value)) throw malformed(at, "a port from 1 to 65535");
  return value;
}

function count(value: unknown, at: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw malformed(at, "an integer");
  return value;
}

function malformed(at: string, expected: string): MapError {
  return new MapError("malformed", `The map is malformed: ${at} is not ${expected}.`);
}
