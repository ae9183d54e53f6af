"use client";
import { Button } from "@/components/ui/button.tsx";
import type { Prices } from "./use-answer.ts";

/** Of which day the prices are, and the way to those of today where they differ. */
export function PricesNote(props: { prices: Prices; isOwn: boolean; notKept: boolean; onTakeNewest: () => void }) {
  const { prices, isOwn, notKept } = props;
  const day = prices.pricesOf.slice(0, 10);
  const whose = isOwn ? ", with your price book" : "";
  if (notKept)
    return (
      <p role="status" className="text-sm text-warn">
        The prices that this link was made with are not kept here: these are those of {day}
        {whose}.
      </p>
    );
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm print:hidden">
      <span>
        Prices of <time dateTime={prices.pricesOf}>{day}</time>
        {whose}.
      </span>
      {prices.hasNewer ? (
        <>
          <span className="text-warn">There are newer ones.</span>
          <Button size="sm" onClick={props.onTakeNewest}>
            Take today's prices
          </Button>
        </>
      ) : null}
    </p>
  );
}
