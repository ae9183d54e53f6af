"use client";
import { type CostsAnswer, providers } from "@fairlead/domain/cost";
import { countOf } from "@/components/words/numbers.ts";
import { PriceDate } from "./price-dates.tsx";

/** The prices of a bill, each with its date, amber if older than a year, and its source. */
export function PricesUsed({ prices }: Pick<CostsAnswer, "prices">) {
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-muted">{`Based on ${countOf(prices.length, "price")}, each with its date and source`}</summary>
      <ul className="flex flex-col gap-1 pt-2">
        {prices.map(({ provider, sku, region, asOf, source }) => (
          <li key={`${provider} ${sku} ${region} ${asOf} ${source}`} className="tabular break-words">
            <span className="font-medium">{sku}</span>
            <span className="text-muted">
              {` of ${providers[provider].title} in ${region}, `}
              {asOf ? <PriceDate day={asOf} /> : <span className="text-warn">without a date</span>}
              {": "}
            </span>
            {/^https:/.test(source) ? (
              <a href={source} rel="noreferrer" target="_blank" className="break-all text-accent">
                {source}
              </a>
            ) : (
              source
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
