import type { CostOption } from "@fairlead/domain/cost";
import { advisedIn } from "./advised-in.ts";
import { monthText } from "./money-text.ts";
import type { Answer } from "./use-answer.ts";
import { placeText, priceText } from "./words.ts";

/** spokenAdvice is the recommendation as a screen reader reads it. */
export function spokenAdvice(answer: Pick<Answer, "estimate">): string {
  const { proven, likely } = advisedIn(answer);
  const sentences = [
    ...(proven ? [`Cheapest proven: ${costOf(proven.option)}`] : []),
    ...(likely ? [`Cheapest likely: ${costOf(likely.option)}`] : []),
  ];
  return sentences.length > 0 ? sentences.join(" ") : "No recommendation.";
}

function costOf(option: CostOption): string {
  const month = priceText(monthText(option.monthlyMicros, option.currency), option);
  return `${option.product}, ${placeText(option)}: ${month} per month.`;
}
