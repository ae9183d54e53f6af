import type { Tx } from "@fairlead/db";
import type { FeedEntry } from "@fairlead/domain/event";
import type { DesiredExposure } from "@fairlead/domain/exposure";
import { appendFeed } from "@fairlead/services";

/** notifyStreams notifies clients that watch an exposure, or these balancers of it. */
export async function notifyStreams(tx: Tx, placed: DesiredExposure, balancerIds: string[]): Promise<void> {
  if (balancerIds.length === 0) return;
  const clusterId = placed.cluster.id;
  const balancers = balancerIds.map((subjectId): FeedEntry => ({ subjectKind: "load-balancer", subjectId, clusterId }));
  await appendFeed(tx, placed.organizationId, [
    ...balancers,
    { subjectKind: "exposure", subjectId: placed.id, clusterId },
  ]);
}
