import {
  listCurrencyRates as listCurrencyRatesInput,
  listNegotiatedPrices as listNegotiatedPricesInput,
  listOwnMachines as listOwnMachinesInput,
} from "@fairlead/domain/cost";
import {
  createCurrencyRate,
  createNegotiatedPrice,
  createOwnMachine,
  deleteCurrencyRate,
  deleteNegotiatedPrice,
  deleteOwnMachine,
  listCurrencyRates,
  listNegotiatedPrices,
  listOwnMachines,
  updateCurrencyRate,
  updateNegotiatedPrice,
  updateOwnMachine,
} from "../price-book/index.ts";
import { list, type Noun } from "./noun.ts";

const dayMs = 86_400_000;
const dayOf = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * dayMs).toISOString().slice(0, 10);

/** machineSpec is a machine that costs 100 dollars a month. */
export const machineSpec = {
  ...{ cores: 4, networkMbps: 1_000, currency: "USD", purchaseMicros: 4_800_000_000, amortisedMonths: 48 },
  ...{ powerWatts: 0, kwhMicros: 0, pue: 1, hostingMonthlyMicros: 0, note: "" },
  ...{ staffHoursPerMonth: 0, staffHourlyMicros: 0, staffShare: 0, validFrom: "2026-01-01" },
};

export const priceBookNouns: Record<string, Noun> = {
  "negotiated-price": {
    letter: "g",
    prepare: async (ctx) => async (n) => {
      const price = { kind: "amount" as const, micros: n, per: 1, currency: "USD" };
      const thing = { provider: "own" as const, region: "any", sku: "egress" };
      return (await createNegotiatedPrice(ctx, { ...thing, price, validFrom: dayOf(n), note: `g${n}` })).id;
    },
    list: list(listNegotiatedPricesInput, listNegotiatedPrices),
    change: {
      "negotiated-price.update": (ctx, id) =>
        updateNegotiatedPrice(ctx, id, { price: { kind: "discount", percent: 12.5 } }),
      "negotiated-price.delete": deleteNegotiatedPrice,
    },
    changeNothing: (ctx, id) => updateNegotiatedPrice(ctx, id, { note: "g1" }),
  },
  "own-machine": {
    letter: "h",
    prepare: async (ctx) => async (n) =>
      (await createOwnMachine(ctx, { ...machineSpec, name: `h${n}`, validFrom: dayOf(n % 3) })).id,
    list: list(listOwnMachinesInput, listOwnMachines),
    change: {
      "own-machine.update": (ctx, id) => updateOwnMachine(ctx, id, { powerWatts: 12.5 }),
      "own-machine.delete": deleteOwnMachine,
    },
    changeNothing: (ctx, id) => updateOwnMachine(ctx, id, { cores: 4 }),
  },
  "currency-rate": {
    letter: "w",
    prepare: async (ctx) => async (n) =>
      (await createCurrencyRate(ctx, { from: "EUR", to: "USD", rate: 1 + n, asOf: dayOf(n), source: `w${n}` })).id,
    list: list(listCurrencyRatesInput, listCurrencyRates),
    change: {
      "currency-rate.update": (ctx, id) => updateCurrencyRate(ctx, id, { rate: 0.5 }),
      "currency-rate.delete": deleteCurrencyRate,
    },
    changeNothing: (ctx, id) => updateCurrencyRate(ctx, id, { rate: 2 }),
  },
};
