import type { CostOption, Estimate } from "@fairlead/domain/cost";
import type { ShownGrade } from "./search-params.ts";
import { placeKey } from "./words.ts";

export type OptionRow = { key: string; option: CostOption; rank: string; pin: "proven" | "likely" | null };
export type RankedRow = OptionRow | { key: "no-balancer"; option: null };

/**
 * rankRows lists no balancer, then the recommended options, then all others of the shown grades. Equal costs share a rank.
 * Incomplete bills have none, because a minimum can't be compared.
 */
export function rankRows(
  { options, advice }: Pick<Estimate, "options" | "advice">,
  { everyRegion, grades }: { everyRegion: boolean; grades: readonly ShownGrade[] },
): RankedRow[] {
  const pins = { proven: advice.proven && placeKey(advice.proven), likely: advice.likely && placeKey(advice.likely) };
  const listed = everyRegion ? options : cheapestRegions(options);
  const ranks = ranksOf(listed);
  const rows = listed.map((option, i): OptionRow => {
    const key = placeKey(option);
    const pin = key === pins.proven ? "proven" : key === pins.likely ? "likely" : null;
    return { key, option, rank: ranks[i] ?? "", pin };
  });
  const pinned = ["proven", "likely"].flatMap((pin) => rows.find((row) => row.pin === pin) ?? []);
  const isShown = ({ option: { grade } }: OptionRow) => grades.length === 0 || grades.includes(grade ?? "misfit");
  return [{ key: "no-balancer", option: null }, ...pinned, ...rows.filter((row) => row.pin === null && isShown(row))];
}

/** Options are sorted by cost, so the first of an offer is its cheapest. */
function cheapestRegions(options: readonly CostOption[]): CostOption[] {
  const seen = new Set<string>();
  return options.filter(({ offerId }) => !seen.has(offerId) && seen.add(offerId));
}

function ranksOf(options: readonly CostOption[]): string[] {
  const compared = options.filter(isRanked).map(({ monthlyMicros }) => monthlyMicros);
  return options.map((option) => {
    if (!isRanked(option)) return "";
    const first = compared.indexOf(option.monthlyMicros);
    return `${first + 1}${compared.lastIndexOf(option.monthlyMicros) > first ? "=" : ""}`;
  });
}

function isRanked({ fits, missing }: CostOption): boolean {
  return fits && missing.length === 0;
}
