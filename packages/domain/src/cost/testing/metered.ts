import type { Strategy } from "../../exposure/strategy.ts";
import type { BalancerFacts } from "../meter/billing.ts";
import { hourOf, monthOf } from "../meter/hours.ts";
import type { MeteredCost, MeteredWith } from "../meter/meter-costs.ts";
import type { MeteredHour } from "../meter/metered-load.ts";
import { runsAs } from "../meter/runs-as.ts";
import type { Catalogue } from "../prices/catalogue.ts";
import { exchangeTo } from "../prices/currency.ts";
import { seedCatalogue } from "./seeded.ts";

export const month = monthOf(hourOf(new Date("2026-11-01T00:00:00Z")));
export const hoursOf = (fields: Partial<MeteredHour>, { from, to } = month): MeteredHour[] =>
  Array.from({ length: to - from }, (_, i) => ({
    hour: from + i,
    existsSeconds: 3_600,
    addressSeconds: 3_600,
    coveredSeconds: 3_600,
    machineSeconds: 7_200,
    bytesIn: 1e9,
    bytesOut: null,
    bytesBoth: null,
    connectionSeconds: 3_600 * 100,
    connectionsNew: 3_600,
    ...fields,
  }));

export const cloud = (provider: "aws" | "gcp" | "azure"): Strategy => ({ type: "cloud", provider, scheme: "public" });
export const ecmp: Strategy = { type: "ecmp", replicas: 2, poolId: "pool_1" };
export const facts = (fields: Partial<BalancerFacts> & { runs?: object }): BalancerFacts => ({
  ...{ name: "shop", kind: "cloud", instance: null, address: "8.8.8.8", exposureName: "shop", clusterName: "prod" },
  ...{ clusterRegion: "", labels: {}, strategy: cloud("aws"), ports: [{ protocol: "tcp" }] },
  ...fields,
  runsAs: fields.runs ? runsAs.parse(fields.runs) : null,
});

export const usingOf = (
  catalogue: Catalogue,
  currency = "USD",
  rates: Parameters<typeof exchangeTo>[1] = [],
): MeteredWith => {
  const prices = { day: "2026-11-01", catalogue, exchange: exchangeTo(currency, rates), currency };
  return { pricesAt: () => prices };
};
export const seeded = usingOf(seedCatalogue);
export const total = ({ hours }: MeteredCost) => hours.reduce((micros, hour) => micros + hour.micros, 0);
export const known = ({ hours }: MeteredCost) => hours.reduce((seconds, hour) => seconds + hour.knownSeconds, 0);

export const inAws = { provider: "aws", region: "us-east-1", responseShare: 0.9 };
