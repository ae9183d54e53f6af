import type { Tx } from "@fairlead/db";
import {
  type Exposure,
  type ExposureDetail,
  hideAdaptiveAddresses,
  hideExposureAddresses,
  hideSessionAddresses,
} from "@fairlead/domain/exposure";
import { hideBackendAddress, hideReplicaAddresses } from "@fairlead/domain/load-balancer";
import { unlessMap } from "../address-map/may-read.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";
import { selectBackends, selectReplicas } from "../load-balancer/parts.sql.ts";
import { loadAdaptive } from "./adaptive-detail.ts";
import { selectPlacements } from "./placement-detail.sql.ts";
import { type ExposureRow, exposureSource, toExposure } from "./rows.ts";
import { loadSession } from "./session-detail.ts";

/** How many balancers are returned with their parts; one for each instance may be many more. */
const mostBalancers = 100;

/** getExposure returns an exposure with the replicas and backends of its balancers. */
export async function getExposure(ctx: ServiceContext, id: string): Promise<ExposureDetail> {
  authorize(ctx, "exposure:read");
  const { db } = ctx;
  const exposure = await loadExposure(db, ctx.organizationId, id);
  const balancers = await db.loadBalancer.findMany({
    where: { exposureId: id },
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: mostBalancers,
    select: { id: true },
  });
  const ids = balancers.map((each) => each.id);
  const [replicas, backends, clusters, session, adaptive] = await Promise.all([
    selectReplicas(db, ids),
    selectBackends(db, ids),
    selectPlacements(db, id),
    loadSession(db, exposure, ids),
    loadAdaptive(db, exposure, ids, ctx.now),
  ]);
  return {
    ...unlessMap(ctx, hideExposureAddresses)(exposure),
    replicas: replicas.map(unlessMap(ctx, hideReplicaAddresses)),
    backends: backends.map(unlessMap(ctx, hideBackendAddress)),
    clusters,
    adaptive: adaptive && unlessMap(ctx, hideAdaptiveAddresses)(adaptive),
    session: session && unlessMap(ctx, hideSessionAddresses)(session),
  };
}

/** loadExposure is for verbs that have checked their own permission. */
export async function loadExposure(tx: Tx, organizationId: string, id: string): Promise<Exposure> {
  return toExposure(await loadOne<ExposureRow>(tx, "exposure", exposureSource, organizationId, id));
}
