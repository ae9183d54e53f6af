import { compileCatalogue, estimateCosts } from "@fairlead/domain/cost";
import { readPriceSeed } from "@fairlead/domain/cost/price-seed";
import type { Form } from "../arguments.ts";
import type { Benchmark } from "../main.ts";
import { type Result, result } from "../result.ts";
import { measureMetering } from "./metering.ts";
import { profilesOf } from "./profiles.ts";

const sizes = {
  full: { estimates: 10_000, warmup: 1_000 },
  quick: { estimates: 1_000, warmup: 200 },
  smoke: { estimates: 20, warmup: 1 },
};
/** Number of estimates per measurement of the rate. */
const batch = 200;

/** The estimates per second of the calculator on one core, and the duration of metering a month, with its database. */
export const run: Benchmark = async ({ form }) => {
  const estimates = measureEstimates(form);
  return {
    results: [...estimates, ...(await measureMetering(form))],
    limits: [
      "estimates: one processor core, most of it for where another option becomes the cheapest",
      "metering: two processor cores of PostgreSQL that add up samples and write each hour of a balancer as a row",
    ],
  };
};

/** measureEstimates estimates the whole catalogue for one profile after another, with advice and break-even. */
function measureEstimates(form: Form): Result[] {
  const size = sizes[form];
  const catalogue = compileCatalogue(readPriceSeed(), { now: new Date() });
  const profiles = profilesOf(size.estimates);
  for (const profile of profiles.slice(0, size.warmup)) estimateCosts(profile, catalogue);
  const rates: number[] = [];
  const each: number[] = [];
  let options = 0;
  let advised = 0;
  for (let from = 0; from < profiles.length; from += batch) {
    const began = performance.now();
    const chunk = profiles.slice(from, from + batch);
    for (const profile of chunk) {
      const at = performance.now();
      const estimate = estimateCosts(profile, catalogue);
      each.push(performance.now() - at);
      options += estimate.options.length;
      advised += estimate.advice.proven ? 1 : 0;
    }
    rates.push((chunk.length * 1_000) / (performance.now() - began));
  }
  const subject = `${Math.round(options / profiles.length)} options each`;
  return [
    result(subject, "estimates", "1/s", rates, { at: "median", op: ">=", value: 500 }),
    result(subject, "one estimate", "ms", each, { at: "p99", op: "<=", value: 50 }),
    result(subject, "with advice", "estimates", [advised]),
  ];
}
