import { countOf } from "@/components/words/numbers.ts";
import type { Prices } from "./use-answer.ts";

const principles = [
  [
    "Priced by the hour",
    "The cost of an hour is calculated from its traffic, by the pricing rules of each provider. Hours are then added up.",
  ],
  [
    "Capacity is checked",
    "Proven: the capacity is measured here or published, and enough. Likely: its provider documents that it scales with traffic. Unknown: neither, so it is never recommended.",
  ],
  [
    "Missing prices are visible",
    "Complete bills are compared first. A bill with a missing price is a minimum, and ranks after them. Each price has its date and source.",
  ],
  [
    "Shareable link",
    "The URL contains all inputs, so a link shows the same result to others. Nothing you enter is stored.",
  ],
] as const;

/** Shown before the first result: how costs are calculated. */
export function HowCalculated({ prices: { points } }: { prices: Prices }) {
  const newest = points
    .flatMap(({ asOf }) => asOf ?? [])
    .sort()
    .at(-1);
  const providers = new Set(points.map(({ provider }) => provider)).size;
  return (
    <section aria-labelledby="how" className="border-t pt-3 max-lg:hidden">
      <h2 id="how" className="pb-3 font-semibold text-base">
        How costs are calculated
      </h2>
      <dl className="grid max-w-3xl gap-x-8 gap-y-5 sm:grid-cols-2">
        {principles.map(([title, text]) => (
          <div key={title}>
            <dt className="font-medium text-sm">{title}</dt>
            <dd className="text-muted text-sm">{text}</dd>
          </div>
        ))}
      </dl>
      <p className="tabular pt-5 text-muted text-sm">
        {countOf(points.length, "price")} of {countOf(providers, "provider")}
        {newest ? `, the newest of ${newest}` : ""}.
      </p>
    </section>
  );
}
