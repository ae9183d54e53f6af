import { countOf } from "@/components/words/numbers.ts";
import type { Prices } from "./use-answer.ts";

const says = [
  [
    "Paid by the hour",
    "What an hour costs follows from what is carried in it, by the rules of each provider, and hours are then added up.",
  ],
  [
    "Performance counts",
    "Only what is measured or published to carry your traffic is advised. What is assumed is shown, and never advised.",
  ],
  [
    "Nothing is free by mistake",
    "What has no price is listed with the reason. Each price has its day and its source beside it.",
  ],
  ["All of it is in the address", "A link shows somebody else what you see. Nothing you write here is stored."],
] as const;

/** What stands where the answer will be: how it is reckoned. */
export function Beginning({ prices: { points } }: { prices: Prices }) {
  const newest = points
    .flatMap(({ asOf }) => asOf ?? [])
    .sort()
    .at(-1);
  const providers = new Set(points.map(({ provider }) => provider)).size;
  return (
    <section aria-labelledby="how" className="border-t pt-3 max-lg:hidden">
      <h2 id="how" className="pb-3 font-semibold text-base">
        How it is reckoned
      </h2>
      <dl className="grid max-w-3xl gap-x-8 gap-y-5 sm:grid-cols-2">
        {says.map(([title, text]) => (
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
