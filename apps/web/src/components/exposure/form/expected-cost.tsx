"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import type { PlannedCost } from "@fairlead/domain/cost";
import { type CreateExposure, strategies } from "@fairlead/domain/exposure";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { hourText } from "@/components/cost/calculator/money-text.ts";
import { PriceDates } from "@/components/cost/price-dates.tsx";
import { Reasons } from "@/components/cost/reasons.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { costLines } from "./cost-lines.ts";

/** What a complete spec would cost in an hour, by the rules and prices of its later bill. */
export function ExpectedCost({ spec, cluster }: { spec: CreateExposure | null; cluster: Cluster | undefined }) {
  const trpc = useTRPC();
  const refetchInterval = useLiveInterval();
  const { data } = useQuery({
    ...trpc.exposure.planCost.queryOptions(spec ?? skipToken),
    placeholderData: keepPreviousData,
    refetchInterval,
    retry: false,
  });
  if (!spec || !cluster || !data) return null;
  return (
    <div className="mt-3 border-t pt-3">
      <h3 className="font-medium">Cost</h3>
      {data.hourlyMicros === null ? (
        <UnknownCost what={strategies[spec.strategy.type].title} cluster={cluster} reason={data.reason} />
      ) : (
        <KnownCost cost={data} hourlyMicros={data.hourlyMicros} />
      )}
    </div>
  );
}

export function KnownCost({ cost, hourlyMicros }: { cost: PlannedCost; hourlyMicros: number }) {
  const { currency, perInstance, balancerCount, paysForTraffic, hasPriceBook, reason, priceDates } = cost;
  const notes = [reason, paysForTraffic ? "Traffic is billed on top." : "", hasPriceBook ? "" : "By list prices."];
  return (
    <>
      <p className="mt-1">
        <span className="font-semibold">{hourText(hourlyMicros, currency)} per hour</span>
        {perInstance ? `, for ${countOf(balancerCount, "instance")}` : ""}
      </p>
      <ul className="mt-1 flex flex-col gap-0.5">
        {costLines(cost.items).map(({ label, micros }) => (
          <li key={label} className="flex justify-between gap-3 text-muted">
            <span className="min-w-0">{label}</span>
            <span className="tabular">{hourText(micros, currency)}</span>
          </li>
        ))}
      </ul>
      <p className="mt-1 text-muted text-xs">
        {notes.filter(Boolean).join(" ")}
        {cost.items.length > 0 ? (
          <>
            {" "}
            <PriceDates dates={priceDates} />.
          </>
        ) : null}
      </p>
    </>
  );
}

function UnknownCost({ what, cluster, reason }: { what: string; cluster: Cluster; reason: string }) {
  return (
    <div className="mt-1 flex flex-col gap-1">
      <p>
        No price is known for {what} in {cluster.name}.
      </p>
      <Reasons reasons={[reason]} clusterId={cluster.id} />
      <p>
        <TextLink href="/costs/prices" className="text-accent">
          See prices
        </TextLink>
      </p>
    </div>
  );
}
