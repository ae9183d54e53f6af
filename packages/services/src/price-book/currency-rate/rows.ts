import { viewSource } from "@fairlead/db";
import { type CreateCurrencyRate, type StoredRate, storedRate } from "@fairlead/domain/cost";
import { loadOne } from "../../control/load-one.ts";
import type { EntryKind } from "../entries.ts";

export const currencyRateSource = viewSource("currency_rate_view", storedRate);

export const currencyRateKind: EntryKind<StoredRate, CreateCurrencyRate> = {
  table: "currency_rate",
  subjectKind: "currency-rate",
  load: (tx, organizationId, id) => loadOne(tx, "currency rate", currencyRateSource, organizationId, id),
  changeOf: ({ from, to, rate, asOf, source }) => ({ from, to, rate, asOf, source }),
  nameOf: ({ from, to }) => `${from} to ${to}`,
  twice: {
    field: "asOf",
    message: ({ from, to, asOf }) =>
      `There is already a rate between ${from} and ${to} of ${asOf}: change that, or take another day.`,
  },
};
