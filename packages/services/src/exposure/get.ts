import type { Tx } from "@fairlead/db";
import type { Exposure } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";
import { type ExposureRow, exposureSource, toExposure } from "./rows.ts";

export async function getExposure(ctx: ServiceContext, id: string): Promise<Exposure> {
  authorize(ctx, "exposure:read");
  return loadExposure(ctx.db, ctx.organizationId, id);
}

/** loadExposure is for verbs that have checked their own permission. */
export async function loadExposure(tx: Tx, organizationId: string, id: string): Promise<Exposure> {
  return toExposure(await loadOne<ExposureRow>(tx, "exposure", exposureSource, organizationId, id));
}
