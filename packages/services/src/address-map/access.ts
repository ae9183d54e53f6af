import { inTransaction, type Tx } from "@fairlead/db";
import { canonicalJson, DomainError, notFound } from "@fairlead/domain";
import { canonicalPrefix } from "@fairlead/domain/address";
import { type MapAccess, mapAccess, type UpdateMapAccess } from "@fairlead/domain/address-map";
import { authorize, type ServiceContext } from "../context.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { withoutUndefined } from "../control/without-undefined.ts";
import { notifyMap } from "./notify-map.sql.ts";

/** getMapAccess returns who may read an exposure's map. It needs only the permission to read the exposure. */
export async function getMapAccess(ctx: ServiceContext, exposureId: string): Promise<MapAccess> {
  authorize(ctx, "exposure:read");
  return (await load(ctx.db, ctx.organizationId, exposureId)).access;
}

/**
 * updateMapAccess changes who may read an exposure's map. Waiting or streaming clients that lose access are
 * disconnected at once.
 */
export async function updateMapAccess(
  ctx: ServiceContext,
  exposureId: string,
  input: UpdateMapAccess,
): Promise<MapAccess> {
  authorize(ctx, "exposure:write");
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "exposure", ctx.organizationId, exposureId);
    const { name, clusterId, access: before } = await load(tx, ctx.organizationId, exposureId);
    const after = merge(before, input);
    if (canonicalJson(after) === canonicalJson(before)) return before;
    await checkKeys(tx, ctx.organizationId, after.keys);
    await tx.exposure.update({ where: { id: exposureId }, data: { mapAccess: after } });
    await notifyMap(tx, exposureId);
    await recordChange(tx, ctx, {
      action: "exposure.update-map-access",
      subjectKind: "exposure",
      subjectId: exposureId,
      subjectName: name,
      clusterId,
      before,
      after,
    });
    return after;
  });
}

/** Opening the map to the organisation drops the keys; naming keys as well is refused by the schema. */
function merge(before: MapAccess, input: UpdateMapAccess): MapAccess {
  const keys = input.mode === "organization" && input.keys === undefined ? [] : before.keys;
  const merged = mapAccess.safeParse({ ...before, keys, ...withoutUndefined(input) });
  if (!merged.success) {
    const fields = merged.error.issues.map(({ path, message }) => ({
      path: path.map((part) => (typeof part === "number" ? part : String(part))),
      message,
    }));
    throw new DomainError("invalid", fields.map((each) => each.message).join("; "), { fields });
  }
  return { ...merged.data, networks: merged.data.networks.map(canonicalPrefix) };
}

async function checkKeys(tx: Tx, organizationId: string, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  const known = await tx.apiKey.findMany({ where: { organizationId, id: { in: keys } }, select: { id: true } });
  const ids = new Set(known.map((each) => each.id));
  const missing = keys.findIndex((key) => !ids.has(key));
  if (missing >= 0) throw notFound("API key", keys[missing] ?? "", ["keys", missing]);
}

async function load(tx: Tx, organizationId: string, id: string) {
  const row = await tx.exposure.findFirst({
    where: { id, organizationId },
    select: { name: true, clusterId: true, mapAccess: true },
  });
  if (!row) throw notFound("exposure", id);
  // Only updateMapAccess and the schema's default write the column.
  return { name: row.name, clusterId: row.clusterId, access: row.mapAccess as MapAccess };
}
