import type { CostOption, Recommendation } from "@fairlead/domain/cost";
import type { Answer } from "./use-answer.ts";
import { placeKey } from "./words.ts";

/** ties: the other offers at the same cost, each once. regions: all regions in which the option has this cost. */
export type Advised = { option: CostOption; reasons: string[]; ties: CostOption[]; regions: string[] };

/** advisedIn returns the recommended options, with those that cost the same. */
export function advisedIn({ estimate: { advice, options } }: Pick<Answer, "estimate">) {
  const find = (place: { offerId: string; region: string }) =>
    options.find((option) => placeKey(option) === placeKey(place)) ?? null;
  const load = (recommendation: Recommendation | null): Advised | null => {
    const option = recommendation && find(recommendation);
    if (!option) return null;
    const { reasons, tiedWith } = recommendation;
    const perOffer = Map.groupBy([option, ...tiedWith], ({ offerId }) => offerId);
    const [own = [], ...others] = perOffer.values();
    return {
      ...{ option, reasons, ties: others.flatMap(([first]) => (first && find(first)) ?? []) },
      regions: own.map(({ region }) => region),
    };
  };
  return { proven: load(advice.proven), likely: load(advice.likely) };
}
