import { z } from "zod";
import { type Actor, may } from "../access/access.ts";
import { parsePrefix, prefix, prefixContains } from "../address/address.ts";
import { idOf } from "../id.ts";
import { mapAccessModes } from "./map-kinds.ts";

const mostKeys = 100;
const mostNetworks = 64;
const once = (list: string[]) => new Set(list).size === list.length;

const keys = z.array(idOf("apiKey")).max(mostKeys, `${mostKeys} keys at most`).refine(once, "a key is here twice");
const networks = z
  .array(prefix)
  .max(mostNetworks, `${mostNetworks} networks at most`)
  .refine(once, "a network is here twice")
  .describe("Where readers must be, whoever they are; empty for anywhere.");
const mode = z
  .enum(mapAccessModes)
  .describe("organization: whoever may read the exposure; keys: the keys named here, and people who may change it.");

/** Who may read an exposure's address map, and from where. */
export const mapAccess = z
  .strictObject({ mode, keys: keys.default([]), networks: networks.default([]) })
  .superRefine(({ mode, keys }, ctx) => {
    if (mode === "keys" && keys.length === 0)
      ctx.addIssue({ code: "custom", path: ["keys"], message: "name a key at least, or let the organisation read it" });
    if (mode === "organization" && keys.length > 0)
      ctx.addIssue({ code: "custom", path: ["keys"], message: "leave keys out, or set mode to keys" });
  })
  .meta({ id: "MapAccess" });
export type MapAccess = z.infer<typeof mapAccess>;

/** What is left out stays as it is. */
export const updateMapAccess = z.strictObject({ mode, keys, networks }).partial().meta({ id: "UpdateMapAccess" });
export type UpdateMapAccess = z.infer<typeof updateMapAccess>;

/** isOpen says that nobody is kept from a map who may read its exposure. */
export function isOpen({ mode, networks }: MapAccess): boolean {
  return mode === "organization" && networks.length === 0;
}

/** findMapRefusal says why somebody may not read a map, or null. The address is the client's, null where it isn't known. */
export function findMapRefusal(access: MapAccess, actor: Actor, clientAddress: string | null): string | null {
  if (!isNamed(access, actor))
    return actor.kind === "api-key"
      ? `This address map is for certain API keys, and ${actor.name} is none of them. Whoever may change the exposure can add it.`
      : "This address map is for certain API keys and for people who may change the exposure.";
  if (access.networks.length === 0 || actor.kind === "system") return null;
  if (clientAddress === null)
    return "This address map may be read from certain networks only, and where you call from isn't known here.";
  if (access.networks.some((network) => holds(network, clientAddress))) return null;
  return `This address map may be read from certain networks only, and ${clientAddress} is in none of them. Whoever may change the exposure can add its network.`;
}

/** People who may change the exposure could name themselves, so leaving them out would only be in the way. */
function isNamed({ mode, keys }: MapAccess, actor: Actor): boolean {
  if (mode === "organization") return true;
  if (actor.kind === "api-key") return keys.includes(actor.id);
  return may(actor, "exposure:write");
}

function holds(network: string, address: string): boolean {
  const parsed = parsePrefix(network);
  return !("problem" in parsed) && prefixContains(parsed, address);
}

/** Somebody who read a map: from where, in which form, how often. */
export const mapReader = z
  .object({
    actorKind: z.enum(["user", "api-key", "agent", "system"]),
    actorId: z.string(),
    actorName: z.string(),
    address: z.string().nullable().describe("Of the client; null where it wasn't known."),
    format: z.string().describe("json, yaml, compact, stream, list, lookup or changes."),
    reads: z.int(),
    firstAt: z.date(),
    lastAt: z.date(),
    hours: z
      .array(z.object({ hour: z.date(), reads: z.int() }))
      .describe("The last day's, hour by hour; those without a read are left out."),
  })
  .meta({ id: "MapReader" });
export type MapReader = z.infer<typeof mapReader>;

export const mapReaders = z
  .object({
    readers: z.array(mapReader).describe("Whoever read last comes first; 200 at most."),
    total: z.int().describe("How many there are."),
  })
  .meta({ id: "MapReaders" });
export type MapReaders = z.infer<typeof mapReaders>;
