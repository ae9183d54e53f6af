"use client";
import type { CostOption, Estimate } from "@fairlead/domain/cost";
import { providers } from "@fairlead/domain/cost";
import { Badge } from "@/components/ui/status/badge.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { Conditions } from "./conditions.tsx";
import { GradeBadge } from "./grade-badge.tsx";
import { noBalancerLook } from "./no-balancer-card.tsx";
import type { OptionRow } from "./ranking-rows.ts";
import { placeKey, placeText, regionText } from "./words.ts";

const pinNames = { proven: "Cheapest proven", likely: "Cheapest likely" } as const;

export function NameCell({ row: { option, pin } }: { row: OptionRow }) {
  return (
    <div className="flex flex-col gap-0.5 py-0.5">
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium">{option.product}</span>
        {pin ? <Badge tone="accent">{pinNames[pin]}</Badge> : null}
      </span>
      <span className="text-muted text-xs">{placeText(option)}</span>
      {option.fits ? null : <span className="text-muted text-xs">{option.reasons[0]}</span>}
      {option.missing.length > 0 ? (
        <span className="text-warn text-xs">
          Without {option.missing.map(({ item }) => item.toLowerCase()).join(", ")}
        </span>
      ) : null}
      {/* Closed again, if a keystroke moves another option into the row. */}
      <Conditions key={placeKey(option)} conditions={option.conditions} />
    </div>
  );
}

export function NoBalancerCell() {
  return (
    <span className="flex flex-col gap-0.5 py-0.5">
      <span className="font-medium">No balancer</span>
      <span className="text-muted text-xs">
        One backend, without failover; data and addresses are billed to it instead
      </span>
    </span>
  );
}

/** No balancer has no bill to compare: the other bills include data and addresses, which are billed anyway. */
export function NoBalancerCost() {
  return <span className="text-muted">none</span>;
}

export function GradeCell({ option, weighed }: { option: CostOption | null; weighed: Estimate["noBalancer"] }) {
  return option ? (
    <GradeBadge grade={option.grade} />
  ) : (
    <StatusBadge status={noBalancerLook(weighed)} className="text-xs" />
  );
}

/** Where no price is known, and the offers without one. */
export function MissingPrices({ estimate, isOpen = false }: { estimate: Estimate; isOpen?: boolean }) {
  const { unpriced, withoutPrices } = estimate;
  if (unpriced.length === 0) return null;
  const places = placesText(withoutPrices);
  return (
    <div className="mt-3 flex flex-col gap-1 text-sm">
      {places ? <p>No prices: {places}.</p> : null}
      <details open={isOpen}>
        <summary className="w-fit text-muted">
          {countOf(unpriced.length, "option")} without a price, with the reason
        </summary>
        <ul className="flex flex-col gap-1 pt-2">
          {unpriced.map((each) => (
            <li key={placeKey(each)}>
              {each.product}, <span className="text-muted">{placeText(each)}: </span>
              {each.reason}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

/** placesText lists providers with their regions. Own machines are in the price book, so they aren't missing. */
export function placesText(places: Estimate["withoutPrices"]): string {
  const perProvider = Map.groupBy(
    places.filter(({ provider }) => provider !== "own"),
    ({ provider }) => provider,
  );
  return [...perProvider]
    .map(
      ([provider, own]) => `${providers[provider].title} (${own.map(({ region }) => regionText(region)).join(", ")})`,
    )
    .join(", ");
}
