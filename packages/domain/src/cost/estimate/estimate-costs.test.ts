import { describe, expect, it } from "vitest";
import { estimateFor, optionOf, pointOf, seedCatalogue } from "../testing/seeded.ts";
import { estimateRequest } from "./estimate.ts";
import { drawCosts } from "./estimate-costs.ts";

const us = { providers: ["aws"], regions: ["us-east-1"] };

describe("an invalid profile is rejected at its field", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["negative traffic", { averageMbps: -1 }, "averageMbps"],
    ["absurd traffic", { averageMbps: 1e18 }, "averageMbps"],
    ["traffic that is not a number", { averageMbps: Number.NaN }, "averageMbps"],
    ["infinite traffic", { averageMbps: Number.POSITIVE_INFINITY }, "averageMbps"],
    ["missing traffic", {}, "averageMbps"],
    ["a peak below the average", { averageMbps: 10, peakMbps: 5 }, "peakMbps"],
    ["a peak without average traffic", { averageMbps: 0, peakMbps: 100 }, "peakMbps"],
    [
      "more live connections than the rate and duration allow",
      { averageMbps: 1, newConnectionsPerSecond: 10, connectionDurationSeconds: 10, activeConnections: 500 },
      "activeConnections",
    ],
    ["requests over tcp", { averageMbps: 1, requestsPerSecond: 5 }, "requestsPerSecond"],
    ["TLS over udp", { averageMbps: 1, protocol: "udp", tls: "terminate" }, "tls"],
    ["no hours", { averageMbps: 1, hoursPerMonth: 0 }, "hoursPerMonth"],
    ["no replicas", { averageMbps: 1, replicas: 0 }, "replicas"],
  ])("%s", (_, profile, field) => {
    const { error } = estimateRequest.safeParse({ profile });
    expect(error?.issues.map(({ path }) => path.join("."))).toContain(`profile.${field}`);
  });

  it("rejects an unknown region", () => {
    expect(() => estimateFor({ averageMbps: 1 }, { regions: ["us-east-1", "atlantis"] })).toThrow(
      /no region atlantis .* Known regions: .*europe-west1.*us-east-1/,
    );
  });

  it("rejects a region of another provider than the requested ones", () => {
    expect(() => estimateFor({ averageMbps: 1 }, { providers: ["gcp"], regions: ["us-east-1"] })).toThrow(
      "There is no region us-east-1",
    );
  });
});

describe("a missing price", () => {
  it("makes an offer unpriced, never free", () => {
    const estimate = estimateFor({ averageMbps: 1 }, { providers: ["aws"], regions: ["ap-northeast-1"] });
    expect(estimate.options.map(({ offerId }) => offerId).sort()).toEqual(["aws-alb", "aws-nlb"]);
    expect(estimate.unpriced.find(({ offerId }) => offerId === "aws-clb")).toEqual({
      offerId: "aws-clb",
      provider: "aws",
      product: "Classic Load Balancer",
      region: "ap-northeast-1",
      reason: "There is no price of clb in ap-northeast-1.",
    });
  });

  it("in another currency needs a rate", () => {
    const euros = { ...us, currency: "EUR" };
    const without = estimateFor({ averageMbps: 1 }, euros);
    expect(without.options).toEqual([]);
    expect(new Set(without.unpriced.map(({ reason }) => reason))).toEqual(
      new Set(["Its prices are in USD: add a rate from USD to EUR."]),
    );
    const rates = [{ from: "USD", to: "EUR", rate: 0.5, asOf: "2026-11-20" }];
    const dollars = optionOf(estimateFor({ averageMbps: 25 }, us), "aws-clb");
    const converted = optionOf(estimateFor({ averageMbps: 25 }, { ...euros, rates }), "aws-clb");
    expect(converted.monthlyMicros).toBe(dollars.monthlyMicros / 2);
    expect(converted.currency).toBe("EUR");
    const inverse = [{ from: "EUR", to: "USD", rate: 2, asOf: "2026-11-20" }];
    expect(optionOf(estimateFor({ averageMbps: 25 }, { ...euros, rates: inverse }), "aws-clb")).toEqual(converted);
  });
});

describe("a bill with an item without a price", () => {
  const profile = { averageMbps: 25, internetShare: 0.5 };
  const tokyo = { providers: ["aws"], regions: ["ap-northeast-1"] };

  it("is a minimum that names the item, instead of no bill", () => {
    const estimate = estimateFor(profile, tokyo);
    const option = optionOf(estimate, "aws-nlb");
    expect(option.missing).toEqual([
      { item: "Data to the internet", reason: "There is no price of egress in ap-northeast-1." },
    ]);
    expect(option.monthlyMicros).toBe(optionOf(estimateFor({ averageMbps: 25 }, tokyo), "aws-nlb").monthlyMicros);
  });

  it("ranks after complete bills", () => {
    const estimate = estimateFor(profile, { ...tokyo, regions: ["ap-northeast-1", "us-east-1"] });
    const isComplete = estimate.options.filter(({ fits }) => fits).map(({ missing }) => missing.length === 0);
    expect(isComplete).toEqual([...isComplete].sort((a, b) => Number(b) - Number(a)));
    expect(new Set(isComplete).size).toBe(2);
  });

  it("has no line in the chart, and no break-even", () => {
    const request = estimateRequest.parse({ profile: { averageMbps: 25, zones: 2 }, providers: ["aws", "hetzner"] });
    const drawn = new Set(drawCosts(request, seedCatalogue, 5).map(({ offerId }) => offerId));
    expect(drawn.has("aws-fairlead")).toBe(true);
    expect(drawn.has("hetzner-fairlead")).toBe(false);
  });
});

it("has the dates of the oldest and newest price of options that fit", () => {
  expect(estimateFor({ averageMbps: 25 }, us).priceDates).toEqual({ oldest: "2024-07-01", newest: "2026-09-20" });
  // Only the balancer with the old price is left out.
  expect(estimateFor({ averageMbps: 25, rulesPerRequest: 5, protocol: "http" }, us).priceDates.oldest).toBe(
    "2026-03-15",
  );
});

it("lists where a provider has no price at all", () => {
  const { withoutPrices } = estimateFor({ averageMbps: 25 }, { providers: ["aws", "ovh", "scaleway"] });
  expect(withoutPrices).toContainEqual({ provider: "ovh", region: "any" });
  expect(withoutPrices.filter(({ provider }) => provider === "aws")).toEqual([]);
});

it("returns only options with the requested grades", () => {
  const all = estimateFor({ averageMbps: 25 }, us);
  expect(all.options.map(({ grade }) => grade)).toContain(null);
  const proven = estimateFor({ averageMbps: 25 }, { ...us, grades: ["proven"] });
  expect(new Set(proven.options.map(({ grade }) => grade))).toEqual(new Set(["proven"]));
  expect(proven.advice).toEqual(all.advice);
});

it.each([
  ["aws-fairlead", { averageMbps: 25 }, /^Turn off the source\/destination check/],
  ["gcp-fairlead", { averageMbps: 25 }, /^Create its machines with canIpForward/],
  ["aws-haproxy", { averageMbps: 25 }, /^t4g\.micro is burstable/],
  ["gcp-alb", { averageMbps: 4, protocol: "http" as const }, /App Engine.*100 sessions/],
])("%s has a condition of its provider", (offerId, profile, condition) => {
  expect(optionOf(estimateFor(profile), offerId).conditions).toContainEqual(expect.stringMatching(condition));
});

it("a balancer at layer 7 needs no condition for packets with other addresses", () => {
  expect(optionOf(estimateFor({ averageMbps: 25 }, us), "aws-haproxy").conditions.join()).not.toContain("check");
});

it("a bill in two currencies needs a rate, and is summed in the requested one", () => {
  const euros = pointOf({ provider: "aws", sku: "public-ipv4", micros: 4_000, currency: "EUR", confidence: "own" });
  expect(estimateFor({ averageMbps: 0 }, us, [euros]).unpriced.map(({ reason }) => reason)).toContain(
    "Its prices are in EUR: add a rate from EUR to USD.",
  );
  const rates = [
    { from: "EUR", to: "USD", rate: 1.5, asOf: "2026-11-01" },
    { from: "EUR", to: "USD", rate: 1.25, asOf: "2026-11-20" },
  ];
  expect(optionOf(estimateFor({ averageMbps: 0 }, { ...us, rates }, [euros]), "aws-nlb").hourlyMicros).toBe(
    22_500 + 5_000,
  );
});

it.each([1e9, 1e-12])("a rate of %d results in no price, rather than one that is inexact or zero", (rate) => {
  const rates = [{ from: "USD", to: "XXX", rate, asOf: "2026-11-01" }];
  const profile = { averageMbps: 100_000, internetShare: 1 };
  const { options, unpriced } = estimateFor(profile, { ...us, currency: "XXX", rates });
  expect(options).toEqual([]);
  expect(unpriced.map(({ reason }) => reason)).toContain(
    "With the given rates its price is too large or too small: correct the rates.",
  );
});

it("notes undated tiers that are used", () => {
  const reasons = (averageMbps: number) =>
    optionOf(estimateFor({ averageMbps, internetShare: 1 }, us), "aws-nlb").reasons.filter((each) =>
      each.includes("beyond"),
    );
  expect(reasons(10)).toEqual([]);
  expect(reasons(1_000)).toEqual(["The price of egress beyond 153,600 GB has no date."]);
});

it("reports prices that are older than a year", () => {
  const { reasons } = optionOf(estimateFor({ averageMbps: 1 }, us), "aws-nlb");
  expect(reasons).toEqual([
    "Its known capacity is enough for the peak.",
    "The price of nlb is more than a year old (2024-07-01).",
  ]);
});

it("prefers an own price to any other", () => {
  const own = pointOf({
    provider: "aws",
    sku: "nlb",
    region: "us-east-1",
    micros: 20_000,
    asOf: "2020-01-01",
    confidence: "own",
  });
  const option = optionOf(estimateFor({ averageMbps: 0 }, us, [own]), "aws-nlb");
  expect(option.hourlyMicros).toBe(25_000);
});

describe("the band of an hour", () => {
  it("is a single value with constant traffic", () => {
    const { band, hourlyMicros } = optionOf(estimateFor({ averageMbps: 25 }, us), "aws-nlb");
    expect(band).toEqual({ lowMicros: hourlyMicros, typicalMicros: hourlyMicros, highMicros: hourlyMicros });
  });

  it("rises with the peak if another dimension decides at times", () => {
    // Connections decide while there is little traffic, because the larger of both counts in each hour.
    const profile = {
      averageMbps: 10,
      peakMbps: 100,
      newConnectionsPerSecond: 10,
      protocol: "http" as const,
      zones: 2,
    };
    const { band } = optionOf(estimateFor(profile, us), "aws-alb");
    expect(band.lowMicros).toBeLessThanOrEqual(band.typicalMicros);
    expect(band.typicalMicros).toBeLessThanOrEqual(band.highMicros);
  });
});
