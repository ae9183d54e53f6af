import { type Advised, advisedIn } from "./advised-in.ts";
import { monthText } from "./money-text.ts";
import type { Answer } from "./use-answer.ts";
import { placesText, priceText } from "./words.ts";

/** spokenAdvice is the recommendation as a screen reader reads it. */
export function spokenAdvice(answer: Pick<Answer, "estimate">): string {
  const { proven, likely } = advisedIn(answer);
  const sentences = [
    ...(proven ? [`Cheapest proven: ${costOf(proven)}`] : []),
    ...(likely ? [`Cheapest likely: ${costOf(likely)}`] : []),
  ];
  return sentences.length > 0 ? sentences.join(" ") : "No recommendation.";
}

function costOf({ option, regions }: Advised): string {
  const month = priceText(monthText(option.monthlyMicros, option.currency), option);
  return `${option.product}, ${placesText(option, regions)}: ${month} per month.`;
}
