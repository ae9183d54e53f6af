import { type Placement, workload } from "@fairlead/domain/exposure";
import { z } from "zod";
import { toNumber } from "./health-check-draft.ts";
import { nextKey } from "./pair-rows.ts";

/** Another cluster that an exposure spans. Its own cluster gets the rest. A workload of its own is kept as it is. */
export const placementRow = z.object({
  key: z.string(),
  clusterId: z.string(),
  share: z.string(),
  workload: workload.optional(),
});
export type PlacementRow = z.infer<typeof placementRow>;

export function emptyPlacement(rows: PlacementRow[]): PlacementRow {
  return { key: nextKey(rows), clusterId: "", share: "" };
}

export function draftOfPlacements(clusterId: string, placements: readonly Placement[] = []): PlacementRow[] {
  return placements
    .filter((each) => each.clusterId !== clusterId)
    .map(({ share, ...each }, index) => ({ ...each, key: String(index + 1), share: String(share) }));
}

/** ownShare is what the other clusters leave; null while a share is no number. */
export function ownShare(rows: readonly PlacementRow[]): number | null {
  const sum = rows.reduce((total, { share }) => total + toNumber(share), 0);
  return Number.isInteger(sum) ? 100 - sum : null;
}

/** toPlacements lists the exposure's own cluster first. */
export function toPlacements(clusterId: string, rows: readonly PlacementRow[]) {
  return [
    { clusterId, share: ownShare(rows) ?? 0 },
    ...rows.map(({ key: _, share, ...each }) => ({ ...each, share: toNumber(share) })),
  ];
}
