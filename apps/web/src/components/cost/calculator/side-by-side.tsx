"use client";
import { basisWords, type CostItem, type CostOption, isEnough } from "@fairlead/domain/cost";
import { X } from "lucide-react";
import { memo } from "react";
import { IconButton } from "@/components/ui/action/icon-button.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { significant } from "@/components/words/numbers.ts";
import { advisedIn } from "./advised-in.ts";
import { GradeBadge } from "./grade-badge.tsx";
import { Linked } from "./linked.tsx";
import { hourText, monthText, unitPriceText } from "./money-text.ts";
import { PriceSources } from "./price-age.tsx";
import { maxCompared } from "./search-params.ts";
import type { Answer } from "./use-answer.ts";
import { figureNames, placeKey, placeText, priceText } from "./words.ts";

const columns: Record<number, string> = {
  1: "max-w-md",
  2: "sm:grid-cols-2",
  3: "sm:grid-cols-2 xl:grid-cols-3",
  4: "sm:grid-cols-2 xl:grid-cols-4",
};

/** Compares up to four options: their costs, capacities and reasons. */
export const SideBySide = memo(function SideBySide(props: {
  answer: Answer;
  compare: readonly string[];
  onCompare: (key: string) => void;
}) {
  const { answer, compare, onCompare } = props;
  const options = comparedIn(answer, compare);
  if (options.length === 0) return null;
  return (
    <Section
      title="Side by side"
      hint={
        compare.length === 0
          ? `The recommended ones. Select up to ${maxCompared} above.`
          : `${options.length} of up to ${maxCompared}`
      }
    >
      <ul className={`grid gap-x-6 gap-y-8 ${columns[options.length] ?? ""}`}>
        {options.map((option) => {
          const key = placeKey(option);
          return (
            <li key={key} className="flex min-w-0 flex-col gap-3 break-inside-avoid">
              <Head option={option} onRemove={compare.includes(key) ? () => onCompare(key) : null} />
              <Bill option={option} />
              <Carries option={option} />
              <Reasons reasons={[...option.reasons, ...option.conditions]} />
              <details className="text-xs">
                <summary className="w-fit text-muted">Prices and sources</summary>
                <div className="pt-2">
                  <PriceSources prices={option.prices} now={answer.catalogue.now} />
                </div>
              </details>
            </li>
          );
        })}
      </ul>
    </Section>
  );
});

/** comparedIn returns the selected options; if none is selected, the recommended ones, or else the first two offers. */
export function comparedIn({ estimate }: Answer, compare: readonly string[]): CostOption[] {
  const { options } = estimate;
  if (compare.length > 0)
    return compare.flatMap((key) => options.find((option) => placeKey(option) === key) ?? []).slice(0, maxCompared);
  const { proven, likely } = advisedIn({ estimate });
  const advised = [proven, likely].flatMap((each) => each?.option ?? []);
  const others = options.filter(({ offerId, fits }) => fits && !advised.some((each) => each.offerId === offerId));
  return [...advised, ...others].slice(0, 2);
}

function Head({ option, onRemove }: { option: CostOption; onRemove: (() => void) | null }) {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h3 className="font-semibold text-sm">{option.product}</h3>
          <p className="flex flex-wrap items-center gap-x-2 text-muted text-xs">
            {placeText(option)}
            <GradeBadge grade={option.grade} />
          </p>
        </div>
        {onRemove ? (
          <IconButton label={`Remove ${option.product}`} size="icon-sm" className="print:hidden" onClick={onRemove}>
            <X aria-hidden />
          </IconButton>
        ) : null}
      </div>
      <p className="tabular">
        <span className="font-semibold text-lg">
          {priceText(monthText(option.monthlyMicros, option.currency), option)}
        </span>
        <span className="text-muted text-sm">
          {" "}
          per month, {priceText(hourText(option.hourlyMicros, option.currency), option)} per hour
        </span>
      </p>
    </div>
  );
}

function Bill({ option }: { option: CostOption }) {
  return (
    <table className="tabular w-full text-xs">
      <caption className="sr-only">Hourly cost of {option.product} by item</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Per hour</th>
        </tr>
      </thead>
      <tbody>
        {option.breakdown.map((item) => (
          <tr key={item.item} className="border-b align-top">
            <th scope="row" className="py-1.5 pr-3 text-left font-normal">
              {item.item}
              <span className="block text-muted">{quantityText(item, option.currency)}</span>
            </th>
            <td className="py-1.5 text-right">{hourText(item.hourlyMicros, option.currency)}</td>
          </tr>
        ))}
        {option.missing.map(({ item }) => (
          <tr key={item} className="border-b align-top text-warn">
            <th scope="row" className="py-1.5 pr-3 text-left font-normal">
              {item}
            </th>
            <td className="py-1.5 text-right">no price</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="font-medium">
          <th scope="row" className="py-1.5 pr-3 text-left">
            Per hour
          </th>
          <td className="py-1.5 text-right">{priceText(hourText(option.hourlyMicros, option.currency), option)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/**
 * quantityText is the calculation of a line: 11.25 GB × $0.008. A monthly quantity is shown per month, because its
 * hourly fraction is hard to read.
 */
function quantityText({ quantity, unit, unitPriceMicros }: CostItem, currency: string): string {
  const price = unitPriceText(Math.round(unitPriceMicros * 1_000) / 1_000, currency);
  if (unit === "hour") return `${amountText(quantity)} × ${price} per hour`;
  if (unit === "month") return `${amountText(quantity * 730)} × ${price} per month`;
  return `${amountText(quantity)} ${unit === "capacity-unit-hour" ? "units" : unit.replace("-", " ")} × ${price}`;
}

function amountText(value: number): string {
  return significant(value, 4);
}

function Carries({ option }: { option: CostOption }) {
  if (option.capacity.length === 0) return null;
  return (
    <dl className="tabular grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-xs">
      {option.capacity.map(({ of, required, limit, basis, source }) => (
        <div key={of} className="contents">
          <dt className="text-muted">{figureNames[of].name}</dt>
          <dd className={isEnough({ of, required, limit }) ? undefined : "text-bad"}>
            {of === "latency"
              ? `${amountText(limit)} of ${amountText(required)} ${figureNames[of].unit} at most`
              : `${amountText(required)} of ${amountText(limit)} ${figureNames[of].unit}`}
            <span className="block break-words text-muted">
              {basisWords[basis]}: <Linked text={source} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Reasons({ reasons }: { reasons: readonly string[] }) {
  return (
    <ul className="flex flex-col gap-1 text-xs">
      {reasons.map((reason) => (
        <li key={reason}>
          <Linked text={reason} />
        </li>
      ))}
    </ul>
  );
}
