import { describe, expect, it } from "vitest";
import { billingOf } from "../meter/billing.ts";
import { meterCosts } from "../meter/meter-costs.ts";
import { compileCatalogue } from "../prices/catalogue.ts";
import { exportedOf, recordsOf } from "../testing/exported.ts";
import { cloud, ecmp, facts, hoursOf, inAws, month, seeded, total, usingOf } from "../testing/metered.ts";
import { pointOf, seedPoints } from "../testing/seeded.ts";
import { focusColumns, focusRows } from "./focus-columns.ts";

/** The mandatory columns of FOCUS 1.2, and whether they may be null. */
const mandatory: Record<string, "null" | "not null"> = {
  ...{ BilledCost: "not null", BillingAccountId: "not null", BillingAccountName: "null", BillingCurrency: "not null" },
  ...{ BillingPeriodEnd: "not null", BillingPeriodStart: "not null", ChargeCategory: "not null", ChargeClass: "null" },
  ...{ ChargeDescription: "null", ChargePeriodEnd: "not null", ChargePeriodStart: "not null" },
  ...{ ContractedCost: "not null", EffectiveCost: "not null", InvoiceIssuerName: "not null", ListCost: "not null" },
  // Null only for taxes and corrections, of which there are none here.
  ...{ PricingQuantity: "not null", PricingUnit: "not null", ProviderName: "not null", PublisherName: "not null" },
  ...{ ServiceCategory: "not null", ServiceName: "not null" },
};

const decimal = /^-?\d+(\.\d*[1-9])?$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:00:00Z$/;
/** The format of columns that aren't free text. */
const formats: Record<string, RegExp> = {
  ...{ BilledCost: decimal, ContractedCost: decimal, EffectiveCost: decimal, ListCost: decimal },
  ...{ ConsumedQuantity: decimal, PricingQuantity: decimal, x_KnownShare: decimal },
  ...{ BillingPeriodEnd: time, BillingPeriodStart: time, ChargePeriodEnd: time, ChargePeriodStart: time },
  ...{ BillingCurrency: /^[A-Z]{3}$/, PricingCurrency: /^[A-Z]{3}$/, ChargeCategory: /^Usage$/, ChargeClass: /^$/ },
  ...{ ChargeFrequency: /^Usage-Based$/, PricingCategory: /^Standard$/ },
  PricingUnit: /^(Hours|Months|Unit-Hours|GB|GiB|Mbps-Hours|1000000 Requests)$/,
  ServiceCategory: /^(Networking|Compute)$/,
  ServiceSubcategory: /^(Application Networking|Network Connectivity|Virtual Machines|Other \(Compute\))$/,
};
const nullable = ["ChargeClass", "RegionId", "RegionName", "Tags", "x_PriceDate"];

const ours = facts({ kind: "fairlead", strategy: ecmp, runs: { ...inAws, machine: "c7g.large", internetShare: 0.5 } });
const perReplica = { type: "per-replica", addressing: "dedicated" } as const;
const everyKind = [
  facts({ runs: inAws, labels: { team: "shop" } }),
  facts({ strategy: cloud("gcp"), runs: { provider: "gcp", region: "us-central1", responseShare: 0.5 } }),
  facts({ strategy: perReplica, runs: { provider: "oracle", region: "us-ashburn-1", responseShare: 0.5 } }),
  facts({ strategy: perReplica, runs: { provider: "hetzner", region: "fsn1", responseShare: 0.5 } }),
  ours,
];
const twoDays = { from: month.from + 6, to: month.from + 54 };
const rowsOf = (...of: Parameters<typeof exportedOf>) => recordsOf(focusColumns, focusRows(exportedOf(...of)));
const microsOf = (rows: Record<string, string>[], column: string) =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 1e6), 0);

describe("the columns of FOCUS 1.2", () => {
  it("include all mandatory ones, in alphabetical order, and then our own", () => {
    expect(focusColumns).toEqual(expect.arrayContaining(Object.keys(mandatory)));
    const own = focusColumns.filter((id) => id.startsWith("x_"));
    const theirs = focusColumns.filter((id) => !id.startsWith("x_"));
    expect(focusColumns).toEqual([...theirs.toSorted(), ...own.toSorted()]);
  });

  it.each(everyKind)("have the type of the specification, and null only where it is allowed (%#)", (kind) => {
    const rows = rowsOf(kind, { hours: twoDays });
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const row of rows)
      for (const [id, cell] of Object.entries(row)) {
        if (cell === "") expect(nullable).toContain(id);
        else expect(`${id}: ${cell}`).toMatch(new RegExp(`^${id}: ${(formats[id] ?? /^.+$/).source.slice(1)}`));
        if (mandatory[id] === "not null") expect(`${id}: ${cell}`).not.toBe(`${id}: `);
      }
  });

  it("describe one charge of a load balancer", () => {
    const [row] = rowsOf(facts({ runs: inAws, labels: { team: "=shop" } }), { hours: twoDays });
    expect(row).toEqual({
      ...{ BilledCost: "0.405", ContractedCost: "0.405", EffectiveCost: "0.405", ListCost: "0.405" },
      ...{ BillingAccountId: "org_1", BillingAccountName: "Acme", BillingCurrency: "USD", PricingCurrency: "USD" },
      ...{ BillingPeriodStart: "2026-11-01T00:00:00Z", BillingPeriodEnd: "2026-12-01T00:00:00Z" },
      // The first day begins at six.
      ...{ ChargePeriodStart: "2026-11-01T06:00:00Z", ChargePeriodEnd: "2026-11-02T00:00:00Z" },
      ...{ ChargeCategory: "Usage", ChargeClass: "", ChargeFrequency: "Usage-Based", PricingCategory: "Standard" },
      ...{ ChargeDescription: "Estimate: Balancer hours of shop", SkuMeter: "Balancer hours" },
      ...{ ConsumedQuantity: "18", ConsumedUnit: "Hours", PricingQuantity: "18", PricingUnit: "Hours" },
      ...{ ProviderName: "AWS", PublisherName: "AWS", InvoiceIssuerName: "AWS" },
      ...{ RegionId: "us-east-1", RegionName: "us-east-1" },
      ...{ ResourceId: "lb_1", ResourceName: "shop", ResourceType: "Load Balancer" },
      ...{ ServiceCategory: "Networking", ServiceSubcategory: "Application Networking" },
      ServiceName: "Network Load Balancer",
      ...{ SkuId: "nlb", SkuPriceId: "aws/us-east-1/nlb", SkuPriceDetails: '{"x_PriceRegion":"us-east-1"}' },
      ...{ SubAccountId: "clu_1", SubAccountName: "prod", Tags: '{"team":"=shop"}' },
      ...{ x_ExposureId: "exp_1", x_ExposureName: "shop", x_KnownShare: "1" },
      ...{ x_PriceDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), x_PriceSource: expect.stringMatching(/^https:/) },
    });
  });

  it.each(everyKind)("have only keys of our own, with their prefix, in the details of a price (%#)", (kind) => {
    for (const { SkuPriceDetails } of rowsOf(kind, { hours: twoDays }))
      expect(Object.keys(JSON.parse(SkuPriceDetails ?? ""))).toEqual(["x_PriceRegion"]);
  });

  it("distinguish machines from their network", () => {
    const services = rowsOf(ours, { hours: twoDays }).map((row) => [row.SkuId, row.ServiceCategory, row.ServiceName]);
    expect(services).toContainEqual(["c7g.large", "Compute", "Machines"]);
    expect(services).toContainEqual(["egress", "Networking", "Network of machines"]);
  });
});

describe("the sums of FOCUS rows", () => {
  it.each(everyKind)("are those of the running cost, by day and by hour (%#)", (kind) => {
    const used = hoursOf({}, { from: month.from, to: twoDays.to });
    const cost = meterCosts(billingOf(kind), used, { ...seeded, from: twoDays.from });
    expect(cost.items.length).toBeGreaterThan(0);
    for (const step of ["day", "hour"] as const) {
      const rows = rowsOf(kind, { hours: twoDays, used, step });
      expect(microsOf(rows, "BilledCost")).toBe(total(cost));
      for (const { item, quantity } of cost.items) {
        const own = rows.filter((row) => row.SkuMeter === item);
        expect(own.reduce((sum, row) => sum + Number(row.PricingQuantity), 0)).toBeCloseTo(quantity, 6);
      }
    }
  });

  it("are zero rows for a load balancer without a price, which is never free", () => {
    expect(rowsOf(facts({}), { hours: twoDays })).toEqual([]);
    const nowhere = facts({ runs: { provider: "aws", region: "us-nowhere-1" } });
    expect(rowsOf(nowhere, { hours: twoDays })).toEqual([]);
  });
});

describe("the list cost", () => {
  const discounted = usingOf(
    compileCatalogue(
      [...seedPoints, pointOf({ provider: "aws", region: "us-east-1", sku: "nlb", micros: 9_000, confidence: "own" })],
      { now: new Date("2026-11-25") },
    ),
  );

  it("is that of the list, where the price book has another price", () => {
    const listPricesAt = seeded.pricesAt;
    const rows = rowsOf(facts({ runs: inAws }), { hours: twoDays, using: discounted, listPricesAt });
    const costsOf = (sku: string) => {
      const own = rows.filter(({ SkuId }) => SkuId === sku);
      return [microsOf(own, "ContractedCost"), microsOf(own, "ListCost")];
    };
    expect(costsOf("nlb")).toEqual([48 * 9_000, 48 * 22_500]);
    expect(costsOf("public-ipv4")[0]).toBe(costsOf("public-ipv4")[1]);
  });

  it("is the contracted cost, where the list has no price", () => {
    const empty = usingOf(compileCatalogue([], { now: new Date("2026-11-25") }));
    const rows = rowsOf(facts({ runs: inAws }), { hours: twoDays, using: discounted, listPricesAt: empty.pricesAt });
    expect(microsOf(rows, "ListCost")).toBe(microsOf(rows, "ContractedCost"));
  });
});
