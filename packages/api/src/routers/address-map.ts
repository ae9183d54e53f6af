import { idOf, notFound, pageOf } from "@fairlead/domain";
import {
  addressMapping,
  addressMappingChange,
  foundMappings,
  type GetAddressMap,
  getAddressMap,
  getYamlAddressMap,
  listAddressMappings,
  listMappingChanges,
  lookUpMapping,
  mapAccess,
  mapReaders,
  triedMapping,
  tryMapping,
  updateMapAccess,
  waitMs,
} from "@fairlead/domain/address-map";
import * as services from "@fairlead/services";
import { z } from "zod";
import type { ApiContext } from "../context.ts";
import { byId } from "../input.ts";
import { awaitMap } from "../live/await-map.ts";
import { type MapAnswer, mapAnswer, mapDocument, yamlMapDocument } from "../rest/map-document.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Address maps";
const id = idOf("exposure");

/** The answer was built here and is serialised by its document: parsing it again would cost more than reading it. */
const answer = z.custom<MapAnswer>();

/** getMap opens the map, waits if requested, and reads it. */
async function getMap(
  ctx: services.ServiceContext & Pick<ApiContext, "maps" | "actors">,
  input: GetAddressMap,
  form: "json" | "yaml",
  signal: AbortSignal = new AbortController().signal,
): Promise<MapAnswer> {
  const { after, wait } = input;
  const opened = await services.openMap(ctx, input.id);
  const withinMs = waitMs(wait);
  const head = after === undefined ? opened : await awaitMap(ctx, opened, { after, withinMs, signal });
  const read = await ctx.maps.read(head);
  if (!read) throw notFound("exposure", input.id);
  await services.noteMapReads(ctx, [input.id], input.format ?? form);
  return mapAnswer(read);
}

export const addressMapRouter = router({
  get: procedure
    .meta({
      permission: "map:read",
      rest: {
        method: "GET",
        path: "/exposures/{id}/mappings",
        summary: "Read the address map of an exposure, or wait until it changes",
        tag,
        document: mapDocument,
      },
    })
    .input(getAddressMap)
    .output(answer)
    .query(({ ctx, input, signal }) => getMap(ctx, input, "json", signal)),

  getYaml: procedure
    .meta({
      permission: "map:read",
      rest: {
        method: "GET",
        path: "/exposures/{id}/mappings.yaml",
        summary: "Read the address map of an exposure as YAML, or wait until it changes",
        tag,
        document: yamlMapDocument,
      },
    })
    .input(getYamlAddressMap)
    .output(answer)
    .query(({ ctx, input, signal }) => getMap(ctx, input, "yaml", signal)),

  getAccess: procedure
    .meta({
      permission: "exposure:read",
      rest: {
        method: "GET",
        path: "/exposures/{id}/mappings/access",
        summary: "Read the access settings of an address map",
        tag,
      },
    })
    .input(byId(id))
    .output(mapAccess)
    .query(({ ctx, input }) => services.getMapAccess(ctx, input.id)),

  updateAccess: procedure
    .meta({
      permission: "exposure:write",
      rest: {
        method: "PATCH",
        path: "/exposures/{id}/mappings/access",
        summary: "Change the access settings of an address map",
        tag,
        example: { networks: ["10.0.0.0/8"] },
      },
    })
    .input(updateMapAccess.extend({ id }))
    .output(mapAccess)
    .mutation(({ ctx, input: { id, ...change } }) => services.updateMapAccess(ctx, id, change)),

  try: procedure
    .meta({
      permission: ["exposure:write", "map:read"],
      rest: {
        method: "POST",
        path: "/exposures/{id}/mappings/try",
        summary: "Test whether the external addresses of an instance accept connections",
        tag,
        example: { instance: "redis-0", by: "tcp" },
      },
    })
    .input(tryMapping)
    .output(triedMapping)
    .mutation(({ ctx, input }) => services.tryMapping(ctx, input)),

  readers: procedure
    .meta({
      permission: "audit:read",
      rest: {
        method: "GET",
        path: "/exposures/{id}/mappings/readers",
        summary: "List the readers of an address map",
        tag,
      },
    })
    .input(byId(id))
    .output(mapReaders)
    .query(({ ctx, input }) => services.listMapReaders(ctx, input.id)),
});

export const addressMappingRouter = router({
  list: procedure
    .meta({
      permission: "map:read",
      rest: { method: "GET", path: "/mappings", summary: "List address mappings of all exposures", tag },
    })
    .input(listAddressMappings)
    .output(pageOf(addressMapping))
    .query(({ ctx, input }) => services.listAddressMappings(ctx, input)),

  lookUp: procedure
    .meta({
      permission: "map:read",
      rest: {
        method: "GET",
        path: "/mappings/lookup",
        summary: "Find the mappings of an internal or external address",
        tag,
        looksUp: true,
      },
    })
    .input(lookUpMapping)
    .output(foundMappings)
    .query(({ ctx, input }) => services.lookUpMapping(ctx, input)),
});

export const mappingChangeRouter = router({
  list: procedure
    .meta({
      permission: "map:read",
      rest: {
        method: "GET",
        path: "/mapping-changes",
        summary: "List what was added, removed and moved in address maps",
        tag,
      },
    })
    .input(listMappingChanges)
    .output(pageOf(addressMappingChange))
    .query(({ ctx, input }) => services.listMappingChanges(ctx, input)),
});
