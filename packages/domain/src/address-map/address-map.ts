import { z } from "zod";
import { ipAddress, isAddress } from "../address/address.ts";
import { protocol } from "../exposure/exposed-port.ts";
import { idOf } from "../id.ts";
import { moment } from "../moment.ts";
import { listInput, manyOf } from "../page.ts";
import { plainText } from "../plain-text.ts";
import { type MapFormat, mapFormats, mappingChanges } from "./map-kinds.ts";

/** An instance as a client reaches it: from one internal address to one external one, port by port. */
export const addressMapEntry = z
  .object({
    instance: z.string(),
    pod: z.string().nullable(),
    node: z.string().nullable().describe("The name of the node that it runs on; null where nobody sees it."),
    internalAddress: z.string(),
    externalAddress: z.string().describe("An IP address, or the host name that a cloud gave."),
    serverName: z
      .string()
      .optional()
      .describe("What a TLS client has to ask for there, where one address leads to all instances."),
    ports: z.array(
      z.object({
        name: z.string().optional().describe("As the exposure calls it."),
        protocol,
        internal: z.int(),
        external: z.int(),
      }),
    ),
    ready: z.boolean().describe("Whether somebody new should come here."),
    since: z.date().describe("When it came to its external address and its readiness."),
    generation: z.int().describe("Of the map, when this entry last changed."),
  })
  .meta({ id: "AddressMapEntry" });
export type AddressMapEntry = z.infer<typeof addressMapEntry>;

export const addressMap = z
  .object({
    exposureId: idOf("exposure"),
    generation: z.int().describe("Rises by one whenever a client would do otherwise; 0 before the first look."),
    observedAt: z.date().nullable().describe("When it was last looked at; null before the first look."),
    entries: z.array(addressMapEntry),
  })
  .meta({ id: "AddressMap" });
export type AddressMap = z.infer<typeof addressMap>;

export const longestWaitSeconds = 60;

const waitText = z
  .string()
  .regex(/^([1-9]|[1-5][0-9]|60)s$/, `write seconds, as 30s; ${longestWaitSeconds}s at most`)
  .meta({ examples: ["30s"] });

const askFor = <Formats extends readonly MapFormat[]>(formats: Formats) =>
  z
    .strictObject({
      id: idOf("exposure"),
      after: z
        .int()
        .min(0)
        .max(2_147_483_647)
        .optional()
        .describe("The generation that you have: with wait, the answer comes once the map has another."),
      wait: waitText.optional().describe("How long to wait for that; then the map is answered as it is."),
      format: z
        .enum(formats)
        .optional()
        .describe("compact: the YAML that early clients read, from one IP address to another."),
    })
    .refine(({ wait, after }) => wait === undefined || after !== undefined, {
      path: ["after"],
      message: "say with wait which generation you have; 0 for none",
    });

export const getAddressMap = askFor(mapFormats);
/** By its path it is YAML that is asked for. */
export const getYamlAddressMap = askFor(["yaml", "compact"]);
export type GetAddressMap = z.infer<typeof getAddressMap>;

/** waitMs is how long somebody wants to wait. */
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
    externalAddress: z.string().nullable().describe("null until its balancer has one."),
    externalPort: z.int(),
    serverName: z.string().nullable().describe("What a TLS client has to ask for there; null where it need not."),
    ready: z.boolean(),
    since: z.date(),
    generation: z.int(),
    observedAt: z.date(),
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

/** An address, and a port behind it or none: 10.0.0.5, 10.0.0.5:6379, 2001:db8::5, [2001:db8::5]:6379 or a host name. */
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
    address: end.optional().describe("An internal end, as 10.0.5.5:11222; without a port, all of the address."),
    externalAddress: end.optional().describe("An external end: who is behind it."),
    exposureId: idOf("exposure").optional(),
    clusterId: idOf("cluster").optional(),
  })
  .refine(({ address, externalAddress }) => (address === undefined) !== (externalAddress === undefined), {
    path: ["address"],
    message: "name an internal address, or an external one as externalAddress",
  });
export type LookUpMapping = z.infer<typeof lookUpMapping>;

export const foundMappings = z
  .object({
    mappings: z.array(addressMapping).describe("Several where networks of clusters overlap; empty when there is none."),
  })
  .meta({ id: "FoundMappings" });
export type FoundMappings = z.infer<typeof foundMappings>;

export type End = { host: string; port: number | null };

/** readEnd reads an address with or without a port. IPv6 needs brackets around it where a port follows. */
export function readEnd(text: string): End | { problem: string } {
  const bracketed = /^\[([0-9A-Fa-f:.]+)\](?::(\d{1,5}))?$/.exec(text);
  const isPlainSix = text.split(":").length > 2 && !bracketed;
  const plain = isPlainSix ? { host: text, port: undefined } : hostAndPort(text);
  const host = bracketed?.[1] ?? plain.host;
  const port = bracketed ? bracketed[2] : plain.port;
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    return { problem: "a port is between 1 and 65535" };
  const isIp = isAddress(host);
  if (!isIp && (bracketed || isPlainSix || !/^(?=.*[A-Za-z])[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9])?\.?$/.test(host)))
    return { problem: "expected an address such as 10.0.5.5, 10.0.5.5:11222 or [2001:db8::5]:11222" };
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

/** What an instance's part of a map was and became. */
export const addressMappingChange = z
  .object({
    id: idOf("addressMappingChange"),
    exposureId: idOf("exposure"),
    exposureName: z.string(),
    instance: z.string(),
    what: z.enum(mappingChanges),
    before: mappedInstance.nullable(),
    after: mappedInstance.nullable(),
    generation: z.int().describe("Of the map, that this made."),
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
