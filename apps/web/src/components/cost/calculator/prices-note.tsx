"use client";
import { type PriceDates as Dates, datesOf } from "@fairlead/domain/cost";
import { useMemo } from "react";
import { listPricesNote } from "@/components/cost/list-prices-note.tsx";
import { PriceDates } from "@/components/cost/price-dates.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import type { Prices } from "./use-answer.ts";

/** The dates of the prices that matter, amber if older than a year, with a link to newer ones. */
export function PricesNote(props: {
  prices: Prices;
  dates: Dates | null;
  isOwn: boolean;
  notKept: boolean;
  onTakeNewest: () => void;
}) {
  const { prices, isOwn, notKept } = props;
  const all = useMemo(() => datesOf(prices.points), [prices]);
  const dates = props.dates ?? all;
  const whose = prices.hasPriceBook ? ", with your price book." : isOwn ? `. ${listPricesNote}` : ".";
  return (
    <div className="flex flex-col gap-1 text-sm print:hidden">
      {notKept ? (
        <p role="status" className="text-warn">
          The prices of this link are not stored here. The newest ones are used.
        </p>
      ) : null}
      <p className="tabular flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
        <span>
          <PriceDates dates={dates} now={new Date(prices.at)} />
          {whose}
        </span>
        {prices.hasNewer ? (
          <>
            <span className="text-warn">Newer prices are available.</span>
            <Button size="sm" onClick={props.onTakeNewest}>
              Use the newest prices
            </Button>
          </>
        ) : null}
      </p>
    </div>
  );
}
