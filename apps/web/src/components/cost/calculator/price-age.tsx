"use client";
import { ageOfPrice, type CostOption, type PriceAge } from "@fairlead/domain/cost";
import { memo } from "react";
import { PriceDate } from "@/components/cost/price-dates.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { Popover } from "@/components/ui/overlay/popover.tsx";
import type { StatusShape } from "@/components/ui/status/status.ts";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { Linked } from "./linked.tsx";
import { confidenceWords } from "./words.ts";

const looks: Record<PriceAge, { shape: StatusShape; colour: string }> = {
  fresh: { shape: "disc", colour: "text-good" },
  old: { shape: "triangle", colour: "text-warn" },
  undated: { shape: "dash", colour: "text-warn" },
};
const worstFirst: readonly PriceAge[] = ["undated", "old", "fresh"];
const dayMs = 86_400_000;

type PriceAgeProps = { option: CostOption; now: Date };

/** The date of an option's oldest price, amber if it is older than a year, with links to the sources. */
export const PriceAgeButton = memo(function PriceAgeButton({ option, now }: PriceAgeProps) {
  // Your own price is valid from its date on, and is not read again.
  const ages = option.prices.map((price) => (isOwn(price) ? "fresh" : ageOfPrice(price.asOf, now)));
  const worst = worstFirst.find((age) => ages.includes(age)) ?? "fresh";
  const dates = option.prices.flatMap(({ asOf }) => asOf ?? []).sort();
  const text = worst === "undated" ? "no date" : (dates[0] ?? "your own");
  return (
    <Popover
      label={`Prices of ${option.product}`}
      align="end"
      className="w-96 p-3"
      trigger={
        <Button
          size="sm"
          variant="quiet"
          className="-ml-2 gap-1.5 font-normal"
          aria-label={`Prices of ${option.product}, ${option.region}: ${text}${worst === "old" ? ", older than a year" : ""}`}
        >
          <StatusGlyph shape={looks[worst].shape} className={`!size-3 ${looks[worst].colour}`} />
          <span className={worst === "fresh" ? undefined : "text-warn"}>{text}</span>
        </Button>
      }
    >
      <PriceSources prices={option.prices} now={now} />
    </Popover>
  );
}, looksTheSame);

/** Each keystroke makes new options, and most of them have the prices of before. */
function looksTheSame(before: PriceAgeProps, after: PriceAgeProps): boolean {
  const [old, own] = [before.option, after.option];
  return (
    before.now.getTime() === after.now.getTime() &&
    old.product === own.product &&
    old.region === own.region &&
    old.prices.length === own.prices.length &&
    old.prices.every((price, i) => {
      const other = own.prices[i];
      return price.sku === other?.sku && price.asOf === other.asOf && price.source === other.source;
    })
  );
}

export function PriceSources({ prices, now }: { prices: CostOption["prices"]; now: Date }) {
  return (
    <ul className="flex flex-col gap-2 text-xs">
      {prices.map(({ sku, asOf, source, confidence }) => (
        <li key={sku} className="flex flex-col">
          <span>
            <span className="font-mono">{sku}</span>
            {asOf ? (
              <>
                , as of <PriceDate day={asOf} now={now} /> ({ageText(asOf, now)})
              </>
            ) : confidence === "own" ? null : (
              <span className="text-warn">, without a date</span>
            )}
          </span>
          <span className="break-words text-muted">
            {confidenceWords[confidence]}: <Linked text={source} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function isOwn({ asOf, confidence }: CostOption["prices"][number]): boolean {
  return confidence === "own" && asOf === null;
}

function ageText(asOf: string | undefined, now: Date): string {
  if (!asOf) return "no date";
  const days = Math.max(0, Math.floor((now.getTime() - Date.parse(asOf)) / dayMs));
  if (days === 0) return "today";
  if (days < 100) return days === 1 ? "1 day" : `${days} days`;
  return days < 730 ? `${Math.round(days / 30.4)} months` : `${(days / 365).toFixed(1)} years`;
}
