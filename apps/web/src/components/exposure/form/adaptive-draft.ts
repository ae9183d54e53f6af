import type { AdaptiveStrategy } from "@fairlead/domain/exposure";
import { z } from "zod";
import { toNumber } from "./health-check-draft.ts";
import { pairRow, toMap, toPairs } from "./pair-rows.ts";

/** The fields of the strategy adaptive, as typed. */
export const adaptiveDraft = z.object({
  standby: z.array(pairRow),
  removed: z.enum(["last", "end"]),
  drainSeconds: z.string(),
});
export type AdaptiveDraft = z.infer<typeof adaptiveDraft>;

export function emptyAdaptive(): AdaptiveDraft {
  return { standby: [], removed: "last", drainSeconds: "" };
}

/** draftOfAdaptive fills the fields with an existing spec. */
export function draftOfAdaptive(strategy: AdaptiveStrategy): AdaptiveDraft {
  const { standby = {}, endsConnections, drainSeconds = "" } = strategy;
  return { standby: toPairs(standby), removed: endsConnections ? "end" : "last", drainSeconds: String(drainSeconds) };
}

/** toAdaptive parses the fields. The domain schema validates the result. */
export function toAdaptive({
  standby,
  removed,
  drainSeconds,
}: AdaptiveDraft): Omit<AdaptiveStrategy, "type" | "poolId"> {
  const labels = toMap(standby);
  return {
    ...(Object.keys(labels).length > 0 ? { standby: labels } : {}),
    ...(removed === "end" ? { endsConnections: true } : {}),
    ...(drainSeconds.trim() ? { drainSeconds: toNumber(drainSeconds) } : {}),
  };
}
