import { describe, expect, it } from "vitest";
import { type Chance, chanceOf } from "../../experiment/chance.ts";
import { estimateFor, optionOf } from "../testing/seeded.ts";
import {
  exposedAs,
  type TrafficProfileInput,
  tlsWays,
  trafficProfile,
  trafficProtocols,
} from "../traffic/traffic-profile.ts";
import { type Estimate, estimateRequest, estimate as estimateSchema } from "./estimate.ts";

const rates = [{ from: "EUR", to: "USD", rate: 1.1, asOf: "2026-11-01" }];
const runs = 150;

/** Returns a random profile up to the limits, with a logarithmic distribution. */
function profileBy(chance: Chance): TrafficProfileInput {
  const between = (low: number, high: number) => low * (high / low) ** chance();
  const among = <Word>(words: readonly Word[]): Word => words[Math.floor(chance() * words.length)] as Word;
  const protocol = among(trafficProtocols);
  const highest = chance() < 0.05 ? 10_000_000 : between(0.001, 10_000_000);
  const averageMbps = chance() < 0.1 ? 0 : highest * chance();
  return {
    protocol,
    // Without average traffic there is no peak.
    peakMbps: averageMbps === 0 ? 0 : highest,
    averageMbps,
    newConnectionsPerSecond: chance() < 0.2 ? 0 : between(0.01, 100_000_000),
    tls: protocol === "udp" ? "none" : among(tlsWays),
    hoursPerMonth: 1 + 743 * chance(),
    zones: 1 + Math.floor(16 * chance()),
    listeners: Math.floor(between(1, 1_000)),
    replicas: Math.floor(between(1, 100_000)),
    exposedAs: among(exposedAs),
    responseShare: chance(),
    internetShare: chance() < 0.5 ? 0 : chance(),
    ...(protocol === "http"
      ? { requestsPerSecond: between(0.01, 100_000_000), rulesPerRequest: Math.floor(50 * chance()) }
      : {}),
  };
}

function each(seed: number, check: (profile: TrafficProfileInput, chance: Chance) => void): void {
  const chance = chanceOf(seed);
  for (let run = 0; run < runs; run++) check(profileBy(chance), chance);
}

const amountsOf = ({ options }: Estimate) =>
  options.flatMap(({ hourlyMicros, monthlyMicros, band, breakdown }) => [
    hourlyMicros,
    monthlyMicros,
    ...Object.values(band),
    ...breakdown.map((item) => item.hourlyMicros),
  ]);

describe("for any profile up to the limits", () => {
  it("every amount is a whole, non-negative number of micros", () => {
    each(1, (profile) => {
      const amounts = amountsOf(estimateFor(profile, { rates }));
      expect(amounts.length).toBeGreaterThan(0);
      expect(amounts.filter((amount) => !Number.isSafeInteger(amount) || amount < 0)).toEqual([]);
    });
  });

  it("the result matches the API schema", () => {
    each(7, (profile) => {
      expect(estimateSchema.safeParse(estimateFor(profile, { rates })).error).toBeUndefined();
    });
  });

  it("the lines of a bill add up to the hour, and the hours to the month", () => {
    each(2, (profile) => {
      const hours = Math.ceil(trafficProfile.parse(profile).hoursPerMonth);
      for (const { hourlyMicros, monthlyMicros, breakdown } of estimateFor(profile, { rates }).options) {
        expect(breakdown.reduce((sum, item) => sum + item.hourlyMicros, 0)).toBe(hourlyMicros);
        // Each line is rounded once for the hour and once for the month, by half a micro at most.
        const rounding = breakdown.length * (hours / 2 + 1) + monthlyMicros * 1e-12;
        expect(Math.abs(hourlyMicros * hours - monthlyMicros)).toBeLessThanOrEqual(rounding);
        for (const item of breakdown)
          expect(Math.abs(item.quantity * item.unitPriceMicros - item.hourlyMicros)).toBeLessThanOrEqual(
            0.5001 + item.hourlyMicros * 1e-9,
          );
      }
    });
  });

  it("low, typical and high are in this order", () => {
    each(3, (profile) => {
      for (const { band, hourlyMicros } of estimateFor(profile, { rates }).options) {
        expect(band.typicalMicros).toBe(hourlyMicros);
        expect(band.lowMicros).toBeLessThanOrEqual(band.typicalMicros);
        expect(band.typicalMicros).toBeLessThanOrEqual(band.highMicros);
      }
    });
  });

  it("no option costs less with more usage", () => {
    each(4, (profile, chance) => {
      const factor = 1 + chance();
      const { peakMbps = 0, averageMbps, newConnectionsPerSecond: rate = 0, requestsPerSecond } = profile;
      const more = {
        ...profile,
        averageMbps: Math.min(averageMbps * factor, 10_000_000),
        peakMbps: Math.min(peakMbps * factor, 10_000_000),
        newConnectionsPerSecond: Math.min(rate * factor, 100_000_000),
        ...(requestsPerSecond ? { requestsPerSecond: Math.min(requestsPerSecond * factor, 100_000_000) } : {}),
      };
      const before = estimateFor(profile, { rates });
      const after = estimateFor(more, { rates });
      for (const option of before.options)
        expect(
          optionOf(after, option.offerId, option.region).monthlyMicros,
          `${option.offerId} for ${JSON.stringify(profile)}, ${factor} times`,
        ).toBeGreaterThanOrEqual(option.monthlyMicros - 10);
    });
  });

  it("converting to another currency and back returns the same amount", () => {
    each(5, (profile) => {
      const rate = [{ from: "USD", to: "GBP", rate: 0.8, asOf: "2026-11-01" }];
      const dollars = estimateFor(profile, { providers: ["aws", "azure", "gcp"] });
      const pounds = estimateFor(profile, { providers: ["aws", "azure", "gcp"], currency: "GBP", rates: rate });
      expect(pounds.options.length).toBe(dollars.options.length);
      for (const option of dollars.options) {
        const back = optionOf(pounds, option.offerId, option.region).monthlyMicros / 0.8;
        expect(Math.abs(back - option.monthlyMicros)).toBeLessThanOrEqual(10 + option.monthlyMicros * 1e-12);
      }
    });
  });

  it("the same request has the same result", () => {
    each(6, (profile) => {
      const request = estimateRequest.parse({ profile, rates });
      expect(estimateFor(profile, { rates })).toEqual(estimateFor(request.profile, { rates }));
    });
  });
});
