import { idOf, pageOf } from "@fairlead/domain";
import {
  createCurrencyRate,
  createNegotiatedPrice,
  createOwnMachine,
  listCurrencyRates,
  listNegotiatedPrices,
  listOwnMachines,
  negotiatedPrice,
  ownMachine,
  storedRate,
  updateCurrencyRate,
  updateNegotiatedPrice,
  updateOwnMachine,
} from "@fairlead/domain/cost";
import * as services from "@fairlead/services";
import { byId, nothing } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Price book";
const read = "price-book:read";
const write = "price-book:write";

const priceId = idOf("negotiatedPrice");
const prices = "/cost/price-book/prices";
export const negotiatedPriceRouter = router({
  list: procedure
    .meta({ permission: read, rest: { method: "GET", path: prices, summary: "List negotiated prices", tag } })
    .input(listNegotiatedPrices)
    .output(pageOf(negotiatedPrice))
    .query(({ ctx, input }) => services.listNegotiatedPrices(ctx, input)),

  create: procedure
    .meta({
      permission: write,
      rest: {
        method: "POST",
        path: prices,
        summary: "Add a negotiated price",
        tag,
        status: 201,
        example: {
          provider: "aws",
          region: "any",
          sku: "alb",
          price: { kind: "discount", percent: 12 },
          validFrom: "2026-01-01",
        },
      },
    })
    .input(createNegotiatedPrice)
    .output(negotiatedPrice)
    .mutation(({ ctx, input }) => services.createNegotiatedPrice(ctx, input)),

  update: procedure
    .meta({
      permission: write,
      rest: {
        method: "PATCH",
        path: `${prices}/{id}`,
        summary: "Change a negotiated price",
        tag,
        example: { price: { kind: "amount", micros: 20_000, per: 1, currency: "USD" } },
      },
    })
    .input(updateNegotiatedPrice.extend({ id: priceId }))
    .output(negotiatedPrice)
    .mutation(({ ctx, input: { id, ...change } }) => services.updateNegotiatedPrice(ctx, id, change)),

  delete: procedure
    .meta({
      permission: write,
      rest: { method: "DELETE", path: `${prices}/{id}`, summary: "Delete a negotiated price", tag, status: 204 },
    })
    .input(byId(priceId))
    .output(nothing)
    .mutation(({ ctx, input }) => services.deleteNegotiatedPrice(ctx, input.id)),
});

const machineId = idOf("ownMachine");
const machines = "/cost/price-book/machines";
export const ownMachineRouter = router({
  list: procedure
    .meta({
      permission: read,
      rest: { method: "GET", path: machines, summary: "List your organisation's machines", tag },
    })
    .input(listOwnMachines)
    .output(pageOf(ownMachine))
    .query(({ ctx, input }) => services.listOwnMachines(ctx, input)),

  create: procedure
    .meta({
      permission: write,
      rest: {
        method: "POST",
        path: machines,
        summary: "Add a machine that your organisation owns, to compare its cost",
        tag,
        status: 201,
        example: {
          name: "rack-7",
          cores: 8,
          networkMbps: 10_000,
          currency: "EUR",
          purchaseMicros: 3_600_000_000,
          amortisedMonths: 48,
          powerWatts: 150,
          kwhMicros: 300_000,
          pue: 1.5,
          hostingMonthlyMicros: 60_000_000,
          staffHoursPerMonth: 4,
          staffHourlyMicros: 80_000_000,
          staffShare: 0.25,
          validFrom: "2026-01-01",
        },
      },
    })
    .input(createOwnMachine)
    .output(ownMachine)
    .mutation(({ ctx, input }) => services.createOwnMachine(ctx, input)),

  update: procedure
    .meta({
      permission: write,
      rest: {
        method: "PATCH",
        path: `${machines}/{id}`,
        summary: "Change a machine that your organisation owns",
        tag,
        example: { powerWatts: 180 },
      },
    })
    .input(updateOwnMachine.extend({ id: machineId }))
    .output(ownMachine)
    .mutation(({ ctx, input: { id, ...change } }) => services.updateOwnMachine(ctx, id, change)),

  delete: procedure
    .meta({
      permission: write,
      rest: {
        method: "DELETE",
        path: `${machines}/{id}`,
        summary: "Delete a machine that your organisation owns",
        tag,
        status: 204,
      },
    })
    .input(byId(machineId))
    .output(nothing)
    .mutation(({ ctx, input }) => services.deleteOwnMachine(ctx, input.id)),
});

const rateId = idOf("currencyRate");
const rates = "/cost/price-book/rates";
export const currencyRateRouter = router({
  list: procedure
    .meta({ permission: read, rest: { method: "GET", path: rates, summary: "List currency rates", tag } })
    .input(listCurrencyRates)
    .output(pageOf(storedRate))
    .query(({ ctx, input }) => services.listCurrencyRates(ctx, input)),

  create: procedure
    .meta({
      permission: write,
      rest: {
        method: "POST",
        path: rates,
        summary: "Add a currency rate that applies from a day on",
        tag,
        status: 201,
        example: { from: "EUR", to: "USD", rate: 1.08, asOf: "2026-01-01" },
      },
    })
    .input(createCurrencyRate)
    .output(storedRate)
    .mutation(({ ctx, input }) => services.createCurrencyRate(ctx, input)),

  update: procedure
    .meta({
      permission: write,
      rest: {
        method: "PATCH",
        path: `${rates}/{id}`,
        summary: "Change a currency rate",
        tag,
        example: { rate: 1.09 },
      },
    })
    .input(updateCurrencyRate.extend({ id: rateId }))
    .output(storedRate)
    .mutation(({ ctx, input: { id, ...change } }) => services.updateCurrencyRate(ctx, id, change)),

  delete: procedure
    .meta({
      permission: write,
      rest: { method: "DELETE", path: `${rates}/{id}`, summary: "Delete a currency rate", tag, status: 204 },
    })
    .input(byId(rateId))
    .output(nothing)
    .mutation(({ ctx, input }) => services.deleteCurrencyRate(ctx, input.id)),
});
