import type { Tx } from "@fairlead/db";
import { type DesiredExposure, namedBalancerOf } from "@fairlead/domain/exposure";
import { instanceBalancerOf } from "@fairlead/domain/load-balancer";
import type { ExposureHead } from "../exposure-head.sql.ts";
import type { Decision } from "./decision.ts";
import type { Outside } from "./look-outside.ts";
import { seenInstances } from "./seen-instances.ts";

/**
 * keepDecided is the decision for a paused exposure: what was decided before. New instances get no backend, and a
 * replica whose agent is lost gets no other one.
 */
export async function keepDecided(
  tx: Tx,
  placed: DesiredExposure,
  head: ExposureHead,
  outside: Outside,
): Promise<Decision> {
  const isSingle = instanceBalancerOf(placed.strategy) !== null;
  const isMapped = isSingle || namedBalancerOf(placed.strategy) !== null;
  const seen = isMapped ? await seenInstances(tx, placed, outside) : null;
  return {
    placed,
    head,
    isPaused: true,
    isNews: false,
    lack: () => "the exposure is paused, so they are placed when it is resumed.",
    omitted: "",
    unseen: outside.unseen,
    instances: seen?.byName ?? null,
    single: isSingle ? { surplus: seen?.surplus ?? 0, problems: new Map(), isFresh: false, nextInMs: null } : null,
    nextAt: null,
    judgeInMs: null,
    ticketsInMs: null,
  };
}
