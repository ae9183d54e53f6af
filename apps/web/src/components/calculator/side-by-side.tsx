"use client";
import { basisWords, type CostItem, type CostOption, isEnough } from "@fairlead/domain";
import { X } from "lucide-react";
import { memo } from "react";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Section } from "@/components/ui/section.tsx";
import { count } from "@/components/words/numbers.ts";
import { Linked } from "./advice.tsx";
import { hourText, monthText, unitPriceText } from "./money-text.ts";
import { PriceSources } from "./price-age.tsx";
import { mostCompared } from "./search-params.ts";
import type { Answer } from "./use-answer.ts";
import { figureNames, placeKey, placeText } from "./words.ts";

const columns: Record<number, string> = {
  1: "max-w-md",
  2: "sm:grid-cols-2",
  3: "sm:grid-cols-2 xl:grid-cols-3",
  4: "sm:grid-cols-2 xl:grid-cols-4",
};

/** Up to four options with their bills, what they carry, and why. */
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
          ? `The first ones; tick up to ${mostCompared} of your own above.`
          : `${options.length} of up to ${mostCompared}`
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
              <Reasons reasons={option.reasons} />
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

/** comparedIn is what was chosen, or the first two kinds while nothing is. */
export function comparedIn({ estimate }: Answer, compare: readonly string[]): CostOption[] {
  const { options, advice } = estimate;
  if (compare.length > 0)
    return compare.flatMap((key) => options.find((option) => placeKey(option) === key) ?? []).slice(0, mostCompared);
  const advised = options.find((option) => advice && placeKey(option) === placeKey(advice));
  const others = options.filter(({ offerId, fits }) => fits && offerId !== advised?.offerId);
  return [...(advised ? [advised] : []), ...others.slice(0, advised ? 1 : 2)];
}

function Head({ option, onRemove }: { option: CostOption; onRemove: (() => void) | null }) {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h3 className="font-semibold text-sm">{option.product}</h3>
          <p className="text-muted text-xs">{placeText(option)}</p>
        </div>
        {onRemove ? (
          <IconButton label={`Take ${option.product} out`} size="icon-sm" className="print:hidden" onClick={onRemove}>
            <X aria-hidden />
          </IconButton>
        ) : null}
      </div>
      <p className="tabular">
        <span className="font-semibold text-lg">{monthText(option.monthlyMicros, option.currency)}</span>
        <span className="text-muted text-sm"> a month, {hourText(option.hourlyMicros, option.currency)} an hour</span>
      </p>
    </div>
  );
}

function Bill({ option }: { option: CostOption }) {
  return (
    <table className="tabular w-full text-xs">
      <caption className="sr-only">What {option.product} costs an hour, line by line</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Item</th>
          <th scope="col">An hour</th>
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
      </tbody>
      <tfoot>
        <tr className="font-medium">
          <th scope="row" className="py-1.5 pr-3 text-left">
            An hour
          </th>
          <td className="py-1.5 text-right">{hourText(option.hourlyMicros, option.currency)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/** quantityText is how a line was reckoned: 11.25 GB × $0.008. A month's quantity in an hour is a fraction nobody knows. */
function quantityText({ quantity, unit, unitPriceMicros }: CostItem, currency: string): string {
  const price = unitPriceText(Math.round(unitPriceMicros * 1_000) / 1_000, currency);
  if (unit === "hour") return `${amountText(quantity)} × ${price} an hour`;
  if (unit === "month") return `${amountText(quantity * 730)} × ${price} a month`;
  return `${amountText(quantity)} ${unit === "capacity-unit-hour" ? "units" : unit.replace("-", " ")} × ${price}`;
}

function amountText(value: number): string {
  if (value >= 1_000) return count(Math.round(value));
  return value.toLocaleString("en-GB", { maximumSignificantDigits: 4 });
}

function Carries({ option }: { option: CostOption }) {
  if (option.capacity.length === 0) return null;
  return (
    <dl className="tabular grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-xs">
      {option.capacity.map(({ of, asked, most, basis, source }) => (
        <div key={of} className="contents">
          <dt className="text-muted">{figureNames[of].name}</dt>
          <dd className={isEnough({ of, asked, most }) ? undefined : "text-bad"}>
            {of === "latency"
              ? `${amountText(most)} of ${amountText(asked)} ${figureNames[of].unit} that it may`
              : `${amountText(asked)} of ${amountText(most)} ${figureNames[of].unit}`}
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
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}
