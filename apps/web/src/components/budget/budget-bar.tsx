import type { Budget } from "@fairlead/domain/budget";
import { monthText } from "@/components/cost/calculator/money-text.ts";
import { classNames } from "@/components/ui/class-names.ts";
import { barScale } from "./bar-scale.ts";
import { budgetLook, forecastText, spentText } from "./budget-words.ts";

const tones = { good: "bg-accent", warn: "bg-warn", bad: "bg-bad" };

/** What is spent as a bar, the amount as a line across it, and the forecast as a triangle below it. */
export function BudgetBar({ budget }: { budget: Budget }) {
  const { spent, forecast, amount } = barScale(budget);
  const text = `${spentText(budget)} of ${monthText(budget.amountMicros, budget.currency)} spent, forecast ${forecastText(budget)}`;
  const { tone } = budgetLook(budget);
  const color = tone === "warn" || tone === "bad" ? tones[tone] : tones.good;
  return (
    <span role="img" aria-label={text} title={text} className="relative inline-block h-4 w-full min-w-32 align-middle">
      <span className="absolute inset-x-0 top-0.5 h-2 overflow-hidden rounded-sm bg-line">
        <span className={classNames("block h-full", color)} style={{ width: `${spent}%` }} />
      </span>
      <span className="absolute top-0 h-3 w-0.5 -translate-x-full bg-ink" style={{ left: `${amount}%` }} />
      {forecast === null ? null : (
        <svg
          viewBox="0 0 8 6"
          className="absolute bottom-0 h-1.5 w-2 -translate-x-1/2 text-ink"
          style={{ left: `${forecast}%` }}
          aria-hidden
        >
          <path d="M4 0 8 6H0z" fill="currentColor" />
        </svg>
      )}
    </span>
  );
}
