import { z } from "zod";
import { type Actor, may } from "../access/access.ts";
import { parsePrefix, prefix, prefixContains } from "../address/address.ts";
import { idOf } from "../id.ts";
import { mapAccessModes } from "./map-kinds.ts";

const mostKeys = 100;
const mostNetworks = 64;
const once = (list: string[]) => new Set(list).size === list.length;

const keys = z
  .array(idOf("apiKey"))
  .max(mostKeys, `${mostKeys} keys at most`)
  .refine(once, "a key is listed twice")
  .meta({ uniqueItems: true });
const networks = z
  .array(prefix)
  .max(mostNetworks, `${mostNetworks} networks at most`)
  .refine(once, "a network is listed twice")
  .meta({ uniqueItems: true })
  .describe("Networks that clients must be in; empty for any network.");
const mode = z
  .enum(mapAccessModes)
  .describe(
    "organization: all who may read the exposure. keys: the listed API keys, at least one, and users who may change the exposure.",
  );

/** Who may read an exposure's address map, and from where. */
export const mapAccess = z
  .strictObject({ mode, keys: keys.default([]), networks: networks.default([]) })
  .superRefine(({ mode, keys }, ctx) => {
    if (mode === "keys" && keys.length === 0)
      ctx.addIssue({ code: "custom", path: ["keys"], message: "choose at least one key, or set mode to organization" });
    if (mode === "organization" && keys.length > 0)
      ctx.addIssue({ code: "custom", path: ["keys"], message: "leave keys out, or set mode to keys" });
  })
  .meta({ id: "MapAccess" });
export type MapAccess = z.infer<typeof mapAccess>;

/** Omitted fields stay unchanged. */
export const updateMapAccess = z.strictObject({ mode, keys, networks }).partial().meta({ id: "UpdateMapAccess" });
export type UpdateMapAccess = z.infer<typeof updateMapAccess>;

/** isOpen reports whether all who may read the exposure may also read its map. */
export function isOpen({ mode, networks }: MapAccess): boolean {
  return mode === "organization" && networks.length === 0;
}

/** findMapRefusal returns why an actor may not read a map, or null. clientAddress is null if it is unknown. */
export function findMapRefusal(access: MapAccess, actor: Actor, clientAddress: string | null): string | null {
  if (!isNamed(access, actor))
    return actor.kind === "api-key"
      ? `This address map is for certain API keys, and ${actor.name} is none of them. A member who may change the exposure can add it.`
      : "This address map is for certain API keys and for members who may change the exposure.";
  if (access.networks.length === 0 || actor.kind === "system") return null;
  if (clientAddress === null)
    return "This address map may be read from certain networks only, and your address is unknown.";
  if (access.networks.some((network) => holds(network, clientAddress))) return null;
  return `This address map may be read from certain networks only, and ${clientAddress} is in none of them. A member who may change the exposure can add its network.`;
}

/** Users who may change the exposure could add themselves, so excluding them would only be an obstacle. */
function isNamed({ mode, keys }: MapAccess, actor: Actor): boolean {
  if (mode === "organization") return true;
  if (actor.kind === "api-key") return keys.includes(actor.id);
  return may(actor, "exposure:write");
}

function holds(network: string, address: string): boolean {
  const parsed = parsePrefix(network);
  return !("problem" in parsed) && prefixContains(parsed, address);
}

/** A client of a map: its address, the format, and the number of reads. */
export const mapReader = z
  .object({
    actorKind: z.enum(["user", "api-key", "agent", "system"]),
    actorId: z.string(),
    actorName: z.string(),
    address: z.string().nullable().describe("The client's address; null if unknown."),
    format: z.string().describe("json, yaml, compact, stream, list, lookup or changes."),
    reads: z.int(),
    firstAt: z.date(),
    lastAt: z.date(),
    hours: z
      .array(z.object({ hour: z.date(), reads: z.int() }))
      .describe("Reads per hour of the last day. Hours without a read are omitted."),
  })
  .meta({ id: "MapReader" });
export type MapReader = z.infer<typeof mapReader>;

export const mapReaders = z
  .object({
    readers: z.array(mapReader).describe("The most recent reader first; 200 at most."),
    total: z.int().describe("Number of readers."),
  })
  .meta({ id: "MapReaders" });
export type MapReaders = z.infer<typeof mapReaders>;
