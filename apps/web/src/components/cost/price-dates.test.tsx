import type { CostOption, PlannedCost } from "@fairlead/domain/cost";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { KnownCost } from "../exposure/form/expected-cost.tsx";
import { PriceSources } from "./calculator/price-age.tsx";
import { PriceDates } from "./price-dates.tsx";
import { PricesUsed } from "./prices-used.tsx";

const now = new Date("2026-11-25T12:00:00Z");
const [old, recent] = ["2025-01-01", "2026-11-01"];
const prices: CostOption["prices"] = [old, recent, null].map((asOf, i) => ({
  ...{ sku: `s${i}`, asOf, source: "https://prices.example", confidence: "published" as const },
}));
const amber = (html: string) => [...html.matchAll(/class="text-warn"[^>]*>([^<]+)</g)].map(([, text]) => text);

it("dates older than a year, and prices without one, are marked among the sources of an option", () => {
  const html = renderToStaticMarkup(<PriceSources prices={prices} now={now} />);
  expect(amber(html)).toEqual([old, ", without a date"]);
  expect(html).toContain(`title="Older than a year">${old}`);
});

it("the range of dates has its mark at each end, and equal ends once", () => {
  const render = (oldest: string, newest: string) =>
    renderToStaticMarkup(<PriceDates dates={{ oldest, newest }} now={now} />);
  expect(amber(render(old, recent))).toEqual([old]);
  expect(render(recent, recent).match(/<time/g)).toHaveLength(1);
});

it("prices of the running cost have their dates", () => {
  const used = prices.map((each) => ({ ...each, provider: "aws" as const, region: "eu-west-1" }));
  const html = renderToStaticMarkup(<PricesUsed prices={used} />);
  // The server doesn't know the time of the browser, so only the missing date is marked.
  expect(amber(html)).toEqual(["without a date"]);
  expect(html.match(/<time dateTime="20/g)).toHaveLength(2);
});

it("the cost of a planned exposure has the dates of its prices, unless it has none", () => {
  const cost: PlannedCost = {
    ...{ currency: "USD", hasPriceBook: true, hourlyMicros: 20_000, perInstance: false, balancerCount: 1, reason: "" },
    ...{ items: [{ item: "Balancers", quantity: 1, micros: 20_000 }], paysForTraffic: false },
    priceDates: { oldest: old, newest: recent },
  };
  const textOf = (planned: PlannedCost) =>
    renderToStaticMarkup(<KnownCost cost={planned} hourlyMicros={20_000} />).replace(/<[^>]+>/g, "");
  expect(textOf(cost)).toContain(`Prices from ${old} to ${recent}.`);
  expect(textOf({ ...cost, items: [] })).not.toContain("Prices");
});
