import type { SearchParams } from "nuqs/server";
import { Calculator } from "./calculator.tsx";
import { pricesForPage } from "./prices-for-page.ts";
import { loadCalculatorParams } from "./search-params.ts";

/** The calculator with its prices: the public ones, or those of the organisation. */
export async function CalculatorPage({ query, isOwn }: { query: Promise<SearchParams>; isOwn: boolean }) {
  const { prices: pricesOf } = await loadCalculatorParams(query);
  const read = await pricesForPage(isOwn, pricesOf);
  if ("prices" in read) return <Calculator prices={read.prices} isOwn={isOwn} notKept={read.notKept} />;
  return (
    <div role="alert" className="flex max-w-xl flex-col gap-2 px-4 py-10 md:px-6">
      <h1 className="font-semibold text-xl">Too many requests from your network</h1>
      <p className="text-sm">{read.problem}</p>
      <p className="text-muted text-sm">Traffic is not affected: this page only calculates. Reload it in a minute.</p>
    </div>
  );
}
