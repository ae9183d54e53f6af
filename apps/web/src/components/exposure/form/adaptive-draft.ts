import { type AdaptiveStrategy, costDeliveries } from "@fairlead/domain/exposure";
import { z } from "zod";
import { toNumber } from "./health-check-draft.ts";
import { pairRow, toMap, toPairs } from "./pair-rows.ts";

/** The fields of the strategy adaptive, as typed. "best" leaves the delivery to the control plane. */
export const adaptiveDraft = z.object({
  standby: z.array(pairRow),
  removed: z.enum(["last", "end"]),
  drainSeconds: z.string(),
  clients: z.enum(["inside", "outside"]),
  balancers: z.string(),
  delivery: z.enum(["best", ...costDeliveries]),
});
export type AdaptiveDraft = z.infer<typeof adaptiveDraft>;

export function emptyAdaptive(): AdaptiveDraft {
  return {
    ...{ standby: [], removed: "last", drainSeconds: "" },
    ...{ clients: "inside", balancers: "2", delivery: "best" },
  };
}

/** draftOfAdaptive fills the fields with an existing spec. */
export function draftOfAdaptive(strategy: AdaptiveStrategy): AdaptiveDraft {
  const { standby = {}, endsConnections, drainSeconds = "", outside } = strategy;
  return {
    ...emptyAdaptive(),
    ...{ standby: toPairs(standby), removed: endsConnections ? "end" : "last", drainSeconds: String(drainSeconds) },
    ...(outside
      ? { clients: "outside", balancers: String(outside.replicas), delivery: outside.delivery ?? "best" }
      : {}),
  };
}

/** toAdaptive parses the fields. The domain schema validates the result. */
export function toAdaptive(draft: AdaptiveDraft): Omit<AdaptiveStrategy, "type" | "poolId"> {
  const { standby, removed, drainSeconds, clients, balancers, delivery } = draft;
  const labels = toMap(standby);
  return {
    ...(Object.keys(labels).length > 0 ? { standby: labels } : {}),
    ...(removed === "end" ? { endsConnections: true } : {}),
    ...(drainSeconds.trim() ? { drainSeconds: toNumber(drainSeconds) } : {}),
    ...(clients === "outside"
      ? { outside: { replicas: toNumber(balancers), ...(delivery === "best" ? {} : { delivery }) } }
      : {}),
  };
}
