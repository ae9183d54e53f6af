"use client";
import { basisWords, type CostOption } from "@fairlead/domain/cost";
import { Linked } from "./linked.tsx";
import { PriceSources } from "./price-age.tsx";
import { figureNames } from "./words.ts";

/** The sources of an option: of its capacity, and of its prices. */
export function OptionSources({ option, now }: { option: CostOption; now: Date }) {
  return (
    <div className="flex flex-col gap-2 text-xs">
      <ul className="flex flex-col gap-1">
        {option.capacity.map(({ of, basis, source }) => (
          <li key={of} className="break-words">
            {figureNames[of].name}, {basisWords[basis]}: <Linked text={source} />
          </li>
        ))}
        {option.elastic ? (
          <li>
            Scales with traffic: <Linked text={option.elastic} />
          </li>
        ) : null}
        {option.missing.map(({ item, reason }) => (
          <li key={item}>{reason}</li>
        ))}
      </ul>
      <PriceSources prices={option.prices} now={now} />
    </div>
  );
}
