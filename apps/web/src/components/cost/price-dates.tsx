import { ageOfPrice, type Estimate } from "@fairlead/domain/cost";

/** The dates of the oldest and the newest price, amber if older than a year. */
export function PriceDates({ dates: { oldest, newest }, now }: { dates: Estimate["priceDates"]; now: Date }) {
  if (!oldest || !newest) return "Prices without a date";
  if (oldest === newest)
    return (
      <>
        Prices from <PriceDate day={oldest} now={now} />
      </>
    );
  return (
    <>
      Prices from <PriceDate day={oldest} now={now} /> to <PriceDate day={newest} now={now} />
    </>
  );
}

export function PriceDate({ day, now }: { day: string; now: Date }) {
  const isOld = ageOfPrice(day, now) === "old";
  return (
    <time dateTime={day} className={isOld ? "text-warn" : "text-ink"} title={isOld ? "Older than a year" : undefined}>
      {day}
    </time>
  );
}
