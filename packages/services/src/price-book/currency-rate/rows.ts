import type { StoredRate } from "@fairlead/domain";

export const currencyRateSource = {
  from: "currency_rate_view",
  columns: [
    "id",
    "from",
    "to",
    "rate",
    "asOf",
    "source",
    "createdAt",
    "updatedAt",
  ] as const satisfies readonly (keyof StoredRate)[],
};

export function changeOf({ from, to, rate, asOf, source }: StoredRate) {
  return { from, to, rate, asOf, source };
}

export function nameOf({ from, to }: Pick<StoredRate, "from" | "to">): string {
  return `${from} to ${to}`;
}

export function alreadyRated({ from, to, asOf }: Pick<StoredRate, "from" | "to" | "asOf">): string {
  return `There is already a rate between ${from} and ${to} of ${asOf}: change that, or take another day.`;
}
