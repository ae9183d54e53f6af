import { z } from "zod";
import { ipAddress, isAddress } from "../address/address.ts";
import { protocol } from "../exposure/exposed-port.ts";
import { idOf } from "../id.ts";
import { moment } from "../moment.ts";
import { listInput, manyOf } from "../page.ts";
import { plainText } from "../plain-text.ts";
import { volatile } from "../volatile.ts";
import { type MapFormat, mapFormats, mappingChanges } from "./map-kinds.ts";

/** How a client reaches an instance: one internal address mapped to one external address, port by port. */
export const addressMapEntry = z
  .object({
    instance: z.string(),
    pod: z.string().nullable(),
    node: z.string().nullable().describe("The name of the node that it runs on; null if it isn't reported."),
    internalAddress: z.string(),
    externalAddress: z.string().describe("An IP address, or the host name that a cloud assigned."),
    serverName: z
      .string()
      .optional()
      .describe("The server name (SNI) that a TLS client must send, if one address leads to all instances."),
    ports: z.array(
      z.object({
        name: z.string().optional().describe("The name of the port in the exposure."),
        protocol,
        internal: z.int(),
        external: z.int(),
      }),
    ),
    ready: z.boolean().describe("Whether new connections should go here."),
    since: z.date().describe("Since when it has this external address and readiness."),
    generation: z.int().describe("The generation of the map in which this entry last changed."),
  })
  .meta({ id: "AddressMapEntry" });
export type AddressMapEntry = z.infer<typeof addressMapEntry>;

export const addressMap = z
  .object({
    exposureId: idOf("exposure"),
    generation: z
      .int()
      .describe("Rises by one with every change that matters to a client; 0 before the first observation."),
    observedAt: z.date().nullable().describe("When it was last observed; null before the first observation."),
    entries: z.array(addressMapEntry),
  })
  .meta({ id: "AddressMap" });
export type AddressMap = z.infer<typeof addressMap>;

export const longestWaitSeconds = 60;

const waitText = z
  .string()
  .regex(/^([1-9]|[1-5][0-9]|60)s$/, `enter seconds, such as 30s; ${longestWaitSeconds}s at most`)
  .meta({ examples: ["30s"] });

const mapRequest = <Formats extends readonly MapFormat[]>(formats: Formats) =>
  z
    .strictObject({
      id: idOf("exposure"),
      after: z
        .int()
        .min(0)
        .max(2_147_483_647)
        .optional()
        .describe("The generation that you have. With wait, the response is sent when the map has another."),
      wait: waitText
        .optional()
        .describe(
          "How long to wait for another generation than after, which is required with it. After that, the map is returned unchanged.",
        ),
      format: z
        .enum(formats)
        .optional()
        .describe("compact: the YAML format of the first clients, with pairs of IP addresses."),
    })
    .refine(({ wait, after }) => wait === undefined || after !== undefined, {
      path: ["after"],
      message: "wait needs the generation that you have; 0 for none",
    });

export const getAddressMap = mapRequest(mapFormats);
/** The path requests YAML, so only its formats are allowed. */
export const getYamlAddressMap = mapRequest(["yaml", "compact"]);
export type GetAddressMap = z.infer<typeof getAddressMap>;

/** waitMs converts the parameter wait to milliseconds. */
export function waitMs(wait: string | undefined): number {
  return wait === undefined ? 0 : Number(wait.slice(0, -1)) * 1_000;
}

/** One internal end and the external end that leads to it. */
export const addressMapping = z
  .object({
    id: idOf("addressMapping"),
    exposureId: idOf("exposure"),
    exposureName: z.string(),
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    loadBalancerId: idOf("loadBalancer"),
    instance: z.string(),
    pod: z.string().nullable(),
    node: z.string().nullable(),
    protocol,
    internalAddress: z.string(),
    internalPort: z.int(),
    externalAddress: z.string().nullable().describe("null until its load balancer has one."),
    externalPort: z.int(),
    serverName: z
      .string()
      .nullable()
      .describe("The server name (SNI) that a TLS client must send; null if none is needed."),
    ready: z.boolean(),
    since: z.date(),
    generation: z.int(),
    observedAt: volatile(z.date()),
  })
  .meta({ id: "AddressMapping" });
export type AddressMapping = z.infer<typeof addressMapping>;

export const listAddressMappings = listInput(
  ["instance", "internalAddress", "externalAddress", "node", "exposureName", "clusterName", "since"],
  {
    exposureId: idOf("exposure").optional(),
    clusterId: idOf("cluster").optional(),
    instance: plainText(253).optional(),
    address: ipAddress.optional().describe("The internal or the external address."),
    ready: z.boolean().optional(),
  },
  { sort: "instance", direction: "asc" },
);
export type ListAddressMappings = z.infer<typeof listAddressMappings>;

const maybePort = "(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?";
const [four, six] = [z.regexes.ipv4, z.regexes.ipv6].map(({ source }) => source.slice(1, -1));
const numericEnd = `^${four}${maybePort}$|^${six}$|^\\[${six}\\]${maybePort}$`;
const namedEnd = `^(?=[^:]*[A-Za-z])[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9])?[.]?${maybePort}$`;

/** An address with or without a port: 10.0.0.5, 10.0.0.5:6379, 2001:db8::5, [2001:db8::5]:6379 or a host name. */
const end = z
  .string()
  .min(1)
  .max(260)
  .superRefine((text, ctx) => {
    const read = readEnd(text);
    if ("problem" in read) ctx.addIssue({ code: "custom", message: read.problem });
  });

export const lookUpMapping = z
  .strictObject({
    address: end
      .meta({ pattern: numericEnd })
      .optional()
      .describe("An internal end, such as 10.0.5.5:11222. Without a port: all ports of the address."),
    externalAddress: end
      .meta({ pattern: `${numericEnd}|${namedEnd}` })
      .optional()
      .describe("An external end instead, to find the instance behind it. Exactly one of the two is required."),
    exposureId: idOf("exposure").optional(),
    clusterId: idOf("cluster").optional(),
  })
  .refine(({ address, externalAddress }) => (address === undefined) !== (externalAddress === undefined), {
    path: ["address"],
    message: "enter an internal address, or an external one as externalAddress",
  });
export type LookUpMapping = z.infer<typeof lookUpMapping>;

export const foundMappings = z
  .object({
    mappings: z.array(addressMapping).describe("Several if networks of clusters overlap; empty if there is none."),
  })
  .meta({ id: "FoundMappings" });
export type FoundMappings = z.infer<typeof foundMappings>;

export type End = { host: string; port: number | null };

/** readEnd parses an address with or without a port. IPv6 needs brackets if a port follows. */
export function readEnd(text: string): End | { problem: string } {
  const bracketed = /^\[([0-9A-Fa-f:.]+)\](?::(\d{1,5}))?$/.exec(text);
  const isPlainSix = text.split(":").length > 2 && !bracketed;
  const plain = isPlainSix ? { host: text, port: undefined } : hostAndPort(text);
  const host = bracketed?.[1] ?? plain.host;
  const port = bracketed ? bracketed[2] : plain.port;
  if (port !== undefined && !(/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535))
    return { problem: "a port is between 1 and 65535" };
  const isIp = isAddress(host);
  if (!isIp && (bracketed || isPlainSix || !/^(?=.*[A-Za-z])[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9])?\.?$/.test(host)))
    return { problem: "enter an address such as 10.0.5.5, 10.0.5.5:11222 or [2001:db8::5]:11222" };
  return { host, port: port === undefined ? null : Number(port) };
}

function hostAndPort(text: string): { host: string; port: string | undefined } {
  const at = text.lastIndexOf(":");
  return at < 0 ? { host: text, port: undefined } : { host: text.slice(0, at), port: text.slice(at + 1) };
}

const mappedInstance = z
  .object({
    pod: z.string().nullable(),
    node: z.string().nullable(),
    ready: z.boolean(),
    ends: z.array(
      z.object({
        protocol,
        internalAddress: z.string(),
        internalPort: z.int(),
        externalAddress: z.string(),
        externalPort: z.int(),
        serverName: z.string().optional(),
        ready: z.boolean(),
      }),
    ),
  })
  .meta({ id: "MappedInstance" });

/** A change of an instance's part of a map, with its state before and after. */
export const addressMappingChange = z
  .object({
    id: idOf("addressMappingChange"),
    exposureId: idOf("exposure"),
    exposureName: z.string(),
    instance: z.string(),
    what: z.enum(mappingChanges),
    before: mappedInstance.nullable(),
    after: mappedInstance.nullable(),
    generation: z.int().describe("The generation of the map that this change created."),
    at: z.date(),
  })
  .meta({ id: "AddressMappingChange" });
export type AddressMappingChange = z.infer<typeof addressMappingChange>;

export const listMappingChanges = listInput(
  ["at"],
  {
    exposureId: idOf("exposure").optional(),
    instance: plainText(253).optional(),
    what: manyOf(z.enum(mappingChanges)),
    from: moment.optional(),
    to: moment.optional(),
  },
  { sort: "at", direction: "desc" },
);
export type ListMappingChanges = z.infer<typeof listMappingChanges>;
