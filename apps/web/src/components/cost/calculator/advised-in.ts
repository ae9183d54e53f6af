import type { CostOption, Recommendation } from "@fairlead/domain/cost";
import type { Answer } from "./use-answer.ts";
import { placeKey } from "./words.ts";

export type Advised = { option: CostOption; reasons: string[]; ties: CostOption[] };

/** advisedIn returns the recommended options, with those that cost the same. */
export function advisedIn({ estimate: { advice, options } }: Pick<Answer, "estimate">) {
  const find = (place: { offerId: string; region: string }) =>
    options.find((option) => placeKey(option) === placeKey(place)) ?? null;
  const load = (recommendation: Recommendation | null): Advised | null => {
    const option = recommendation && find(recommendation);
    if (!option) return null;
    return { option, reasons: recommendation.reasons, ties: recommendation.tiedWith.flatMap((tie) => find(tie) ?? []) };
  };
  return { proven: load(advice.proven), likely: load(advice.likely) };
}
