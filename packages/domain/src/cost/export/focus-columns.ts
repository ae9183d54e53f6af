import { monthOf, startOfHour } from "../meter/hours.ts";
import type { PriceUnit } from "../prices/price-words.ts";
import { providers } from "../prices/providers.ts";
import { anyRegion } from "../prices/regions.ts";
import type { BalancerCosts, StepCharge, StepCost } from "./balancer-costs.ts";
import { amountText, quantityText } from "./decimal-text.ts";
import { type Billed, focusServiceOf } from "./focus-service.ts";

type Row = { costs: BalancerCosts; billing: Billed; step: StepCost; charge: StepCharge };
/** null is an empty cell, as FOCUS requires for absent values. */
type Column = [id: string, cell: (row: Row) => string | null];

/** Units as FOCUS writes them. */
const units: Record<PriceUnit, string> = {
  hour: "Hours",
  month: "Months",
  "capacity-unit-hour": "Unit-Hours",
  GB: "GB",
  GiB: "GiB",
  "Mbps-hour": "Mbps-Hours",
  "million-requests": "1000000 Requests",
};

const amount = ({ charge }: Row) => amountText(charge.micros);
const quantity = ({ charge }: Row) => quantityText(charge.quantity);
const unit = ({ charge }: Row) => units[charge.price.unit];
const provider = ({ costs, billing }: Row) => {
  const name = billing.as === "bought" ? billing.offer.provider : billing.provider;
  return name === "own" ? costs.organization.name : providers[name].title;
};
const region = ({ billing }: Row) => (billing.region === anyRegion ? null : billing.region);

/**
 * The columns of FOCUS 1.2 (FinOps Open Cost and Usage Specification): all mandatory ones, and the others that apply, in
 * alphabetical order, then our own. Unit prices are left out: with tiers and monthly limits, no single one yields the cost.
 */
const columns: Column[] = [
  ["BilledCost", amount],
  ["BillingAccountId", ({ costs }) => costs.organization.id],
  ["BillingAccountName", ({ costs }) => costs.organization.name],
  ["BillingCurrency", ({ costs }) => costs.currency],
  ["BillingPeriodEnd", ({ step }) => secondText(monthOf(step.from).to)],
  ["BillingPeriodStart", ({ step }) => secondText(monthOf(step.from).from)],
  ["ChargeCategory", () => "Usage"],
  ["ChargeClass", () => null],
  ["ChargeDescription", ({ costs, charge }) => `Estimate: ${charge.item} of ${costs.facts.name}`],
  ["ChargeFrequency", () => "Usage-Based"],
  ["ChargePeriodEnd", ({ step }) => secondText(step.to)],
  ["ChargePeriodStart", ({ step }) => secondText(step.from)],
  ["ConsumedQuantity", quantity],
  ["ConsumedUnit", unit],
  ["ContractedCost", amount],
  ["EffectiveCost", amount],
  ["InvoiceIssuerName", provider],
  ["ListCost", ({ charge }) => amountText(charge.listMicros)],
  ["PricingCategory", () => "Standard"],
  ["PricingCurrency", ({ charge }) => charge.price.currency],
  ["PricingQuantity", quantity],
  ["PricingUnit", unit],
  ["ProviderName", provider],
  ["PublisherName", provider],
  ["RegionId", region],
  ["RegionName", region],
  ["ResourceId", ({ costs }) => costs.loadBalancerId],
  ["ResourceName", ({ costs }) => costs.facts.name],
  ["ResourceType", () => "Load Balancer"],
  ["ServiceCategory", ({ billing, charge }) => focusServiceOf(billing, charge).category],
  ["ServiceName", ({ billing, charge }) => focusServiceOf(billing, charge).name],
  ["ServiceSubcategory", ({ billing, charge }) => focusServiceOf(billing, charge).subcategory],
  ["SkuId", ({ charge }) => charge.price.sku],
  ["SkuMeter", ({ charge }) => charge.item],
  ["SkuPriceDetails", ({ charge }) => JSON.stringify({ x_PriceRegion: charge.price.region })],
  ["SkuPriceId", ({ charge: { price } }) => `${price.provider}/${price.region}/${price.sku}`],
  ["SubAccountId", ({ costs }) => costs.clusterId],
  ["SubAccountName", ({ costs }) => costs.facts.clusterName],
  ["Tags", ({ costs: { facts } }) => (Object.keys(facts.labels).length > 0 ? JSON.stringify(facts.labels) : null)],
  ["x_ExposureId", ({ costs }) => costs.exposureId],
  ["x_ExposureName", ({ costs }) => costs.facts.exposureName],
  ["x_KnownShare", ({ step }) => quantityText(Math.min(1, step.knownSeconds / step.existsSeconds))],
  ["x_PriceDate", ({ charge }) => charge.price.asOf],
  ["x_PriceSource", ({ charge }) => charge.price.source],
];

export const focusColumns = columns.map(([id]) => id);

/** focusRows is one row for each charge of each step. A load balancer without a known price has none. */
export function focusRows(costs: BalancerCosts): string[][] {
  const { billing } = costs;
  if (billing.as !== "bought" && billing.as !== "machines") return [];
  return costs.steps.flatMap((step) =>
    step.charges.map((charge) => columns.map(([, cell]) => cell({ costs, billing, step, charge }) ?? "")),
  );
}

/** FOCUS writes times without fractions of a second. */
function secondText(hour: number): string {
  return startOfHour(hour).toISOString().replace(".000Z", "Z");
}
