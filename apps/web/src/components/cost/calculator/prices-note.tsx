"use client";
import { listPricesNote } from "@/components/cost/list-prices-note.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import type { Prices } from "./use-answer.ts";

/** The date of the prices, with a link to today's if they differ. */
export function PricesNote(props: { prices: Prices; isOwn: boolean; notKept: boolean; onTakeNewest: () => void }) {
  const { prices, isOwn, notKept } = props;
  const day = prices.pricesOf.slice(0, 10);
  const whose = prices.hasPriceBook ? ", with your price book." : isOwn ? `. ${listPricesNote}` : ".";
  if (notKept)
    return (
      <p role="status" className="text-sm text-warn">
        The prices of this link are not stored here. These are the prices of {day}
        {whose}
      </p>
    );
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm print:hidden">
      <span>
        Prices of <time dateTime={prices.pricesOf}>{day}</time>
        {whose}
      </span>
      {prices.hasNewer ? (
        <>
          <span className="text-warn">Newer prices are available.</span>
          <Button size="sm" onClick={props.onTakeNewest}>
            Use today's prices
          </Button>
        </>
      ) : null}
    </p>
  );
}
