"use client";
import { ageOfPrice, type PriceDates as Dates } from "@fairlead/domain/cost";
import { useNowOf } from "@/components/ui/time/now.ts";

/** The dates of the oldest and the newest price, amber if older than a year. now: default is the time of the browser. */
export function PriceDates({ dates: { oldest, newest }, now }: { dates: Dates; now?: Date | undefined }) {
  if (!oldest || !newest) return "Prices without a date";
  return (
    <>
      Prices from <PriceDate day={oldest} now={now} />
      {oldest === newest ? null : (
        <>
          {" "}
          to <PriceDate day={newest} now={now} />
        </>
      )}
    </>
  );
}

export function PriceDate({ day, now }: { day: string; now?: Date | undefined }) {
  const isOld = useNowOf((current) => ageOfPrice(day, now ?? new Date(current)) === "old");
  return (
    <time dateTime={day} className={isOld ? "text-warn" : "text-ink"} title={isOld ? "Older than a year" : undefined}>
      {day}
    </time>
  );
}
