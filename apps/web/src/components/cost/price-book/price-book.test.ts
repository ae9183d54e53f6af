import { createNegotiatedPrice, createOwnMachine, type NegotiatedPrice, type OwnMachine } from "@fairlead/domain/cost";
import { expect, it } from "vitest";
import { amountText, microsIn, numberIn, unitPriceIn } from "./draft-values.ts";
import { costOfDraft, machineDraft, machineSpec } from "./machine-draft.ts";
import { priceDraft, priceSpec } from "./price-draft.ts";
import { agreedText, listedText } from "./price-text.ts";
import { validityOf } from "./validity.ts";

const today = "2026-11-25";
const machine: OwnMachine = {
  ...{ id: "mac_1", name: "rack-7", cores: 8, networkMbps: 10_000, currency: "EUR", note: "" },
  ...{ purchaseMicros: 3_600_000_000, amortisedMonths: 48, powerWatts: 150, kwhMicros: 300_000, pue: 1.5 },
  ...{ hostingMonthlyMicros: 60_000_000, staffHoursPerMonth: 4, staffHourlyMicros: 80_000_000, staffShare: 0.25 },
  ...{ validFrom: "2026-01-01", monthlyMicros: 264_275_000, createdAt: new Date(0), updatedAt: new Date(0) },
};

it("parses money exactly, and rejects invalid text", () => {
  expect(["3 600", "0.3", "0.000001", "1_000.5"].map(microsIn)).toEqual([3_600_000_000, 300_000, 1, 1_000_500_000]);
  for (const text of ["", "much", "-1", "1,5", "1e3", "0.0000001"]) expect(microsIn(text), text).toBeNaN();
  expect(unitPriceIn("0.0083764275")).toEqual({ micros: 83_764_275, per: 10_000 });
  expect(["", "x", "1.2.3", "Infinity"].map(numberIn)).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
});

it.each(["3600", "0.3", "0.000001", "0.0083764275", "12.34", "0"])("formats %s as it was typed", (text) => {
  const { micros, per } = unitPriceIn(text) ?? { micros: Number.NaN, per: 1 };
  expect(amountText(micros, per)).toBe(text);
});

it("edits a machine without changing any field by itself", () => {
  const spec = createOwnMachine.parse(machineSpec(machineDraft(machine, today)));
  const { id: _, monthlyMicros: __, createdAt: ___, updatedAt: ____, ...written } = machine;
  expect(spec).toEqual(written);
});

it("calculates a machine while it is typed, once all fields are filled in", () => {
  const draft = machineDraft(machine, today);
  expect(costOfDraft(draft)?.monthlyMicros).toBe(264_275_000);
  expect(costOfDraft({ ...draft, powerWatts: "" })).toBeNull();
  expect(costOfDraft(machineDraft(null, today))).toBeNull();
});

it("reports each missing field of a new machine", () => {
  const issues = createOwnMachine.safeParse(machineSpec(machineDraft(null, today))).error?.issues ?? [];
  // Of several things that are wrong with a field the first is shown.
  const messages = Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join("."), message]));
  expect(messages).toMatchObject({
    name: "enter a name",
    cores: "enter a whole number",
    purchaseMicros: "enter an amount such as 3600, with six decimal places at most",
    powerWatts: "enter a number",
  });
});

it.each([
  { kind: "discount" as const, percent: 12.5 },
  { kind: "amount" as const, micros: 83_764_275, per: 10_000, currency: "EUR" },
])("edits a price without changing it by itself: %j", (price) => {
  const thing = { provider: "aws", region: "any", sku: "alb", validFrom: "2026-01-01", note: "c-12" } as const;
  const row: NegotiatedPrice = {
    ...thing,
    price,
    id: "neg_1",
    unit: "hour",
    createdAt: new Date(0),
    updatedAt: new Date(0),
  };
  expect(createNegotiatedPrice.parse(priceSpec(priceDraft(row, today)))).toEqual({ ...thing, price });
});

it("formats negotiated and list prices", () => {
  expect(agreedText({ kind: "discount", percent: 12.5 }, "hour")).toBe("12.5 % below list price");
  expect(agreedText({ kind: "amount", micros: 18_000, per: 1, currency: "USD" }, "GB")).toBe("$0.018 per GB");
  const point = { provider: "aws", sku: "alb", unit: "hour", fromUnits: 0, per: 1, currency: "USD" } as const;
  const from = { asOf: null, source: "", confidence: "published" } as const;
  const points = [
    { ...point, ...from, region: "us-east-1", micros: 22_500 },
    { ...point, ...from, region: "any", micros: 30_000 },
    { ...point, ...from, region: "any", micros: 1, fromUnits: 100 },
  ];
  expect(listedText(points, today)).toBe(
    "List price on 2026-11-25: $0.0225 per hour in us-east-1, $0.03 per hour everywhere.",
  );
  expect(listedText([], today)).toBe("");
});

it("distinguishes valid, replaced and future entries", () => {
  const rows = [
    { id: "a", name: "x", day: "2026-01-01" },
    { id: "b", name: "x", day: "2026-11-25" },
    { id: "c", name: "x", day: "2026-11-26" },
    { id: "d", name: "y", day: "2026-01-01" },
  ];
  const of = (now: string) =>
    Object.fromEntries(
      validityOf(
        rows,
        ({ name }) => name,
        ({ day }) => day,
        now,
      ),
    );
  expect(of(today)).toEqual({ a: "replaced", b: "valid", c: "later", d: "valid" });
  expect(of("")).toEqual({});
});
