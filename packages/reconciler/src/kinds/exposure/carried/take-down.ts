import type { Tx } from "@fairlead/db";
import { describeAge } from "@fairlead/domain";
import type { DesiredExposure } from "@fairlead/domain/exposure";
import { backendTimesOf } from "@fairlead/domain/load-balancer";
import { markCloudRoute, markManyDirty, removeExposure } from "@fairlead/services";
import { againAfterMs, gone, type Outcome, untilMs } from "../../../outcome.ts";
import type { ExposureHead } from "../exposure-head.sql.ts";
import { selectCarriers, selectConfiguredNodes } from "./carriers.sql.ts";
import { contribute } from "./contribute.ts";
import { markLacking } from "./holders.sql.ts";
import { notifyStreams } from "./notify-streams.ts";
import { noteSession, setSession } from "./session.ts";
import { setBackends } from "./set-backends.ts";
import { markSpanned, selectSpannedClusters } from "./spanned-clusters.sql.ts";
import type { Terms } from "./terms.ts";

/** How often to check whether agents have removed it, where no report arrives. */
const stillThereMs = 2_000;

/**
 * takeDown lets the connections of an exposure drain, then removes it from the configs of all agents, and deletes it
 * when no agent carries it any more: before that its address must not be reused.
 */
export async function takeDown(tx: Tx, desired: DesiredExposure, head: ExposureHead, terms: Terms): Promise<Outcome> {
  const { now, times, presentForMs, outside } = terms;
  const ids = desired.loadBalancers.map((each) => each.id);
  const carriers = await selectCarriers(tx, desired, ids, presentForMs);
  if (carriers.length === 0 && outside.isClear) {
    // Also for agents that were given up: one that returns must find a config without it.
    await markManyDirty(tx, "node", await selectConfiguredNodes(tx, desired), { urgent: true });
    const spanned = await selectSpannedClusters(tx, desired.id);
    await removeExposure(tx, desired.id, now);
    await markSpanned(tx, spanned);
    await markLacking(tx, desired.cluster.id);
    await markCloudRoute(tx, desired.cluster.id, { patient: true });
    return gone;
  }
  await noteSession(tx, desired, now);
  const { nextAt } = await setBackends(tx, desired, () => [], terms);
  await setSession(tx, desired, now);
  await contribute(tx, desired, head, now);
  const names = [...new Set(carriers.map((each) => each.nodeName))].join(", ");
  const message = nextAt
    ? `Takes no new connections; existing ones have ${describeAge(backendTimesOf(desired.strategy, times, true).drainMs)} to finish.`
    : carriers.length > 0
      ? `Leaves its replicas; waits for ${names}.`
      : outside.unseen;
  const isRecorded = head.message === message && head.observedGeneration === desired.generation;
  await tx.exposureStatus.updateMany({
    where: { exposureId: desired.id },
    data: { observedGeneration: desired.generation, message, observedAt: now },
  });
  if (!isRecorded) await notifyStreams(tx, desired, ids);
  return againAfterMs(nextAt ? untilMs(nextAt, now) : stillThereMs);
}
