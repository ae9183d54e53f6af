import { Calculator } from "./calculator.tsx";
import { pricesForPage } from "./prices-for-page.ts";

/** The calculator with its prices, in whichever frame. */
export async function CalculatorPage() {
  const read = await pricesForPage();
  if ("prices" in read) return <Calculator prices={read.prices} />;
  return (
    <div role="alert" className="flex max-w-xl flex-col gap-2 px-4 py-10 md:px-6">
      <h1 className="font-semibold text-xl">Too many have asked from where you are</h1>
      <p className="text-sm">{read.problem}</p>
      <p className="text-muted text-sm">Traffic is not affected: this page only reckons. Load it again in a minute.</p>
    </div>
  );
}
