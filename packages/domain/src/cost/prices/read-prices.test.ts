import { describe, expect, it } from "vitest";
import { DomainError } from "../../errors.ts";
import { seedPoints } from "../testing/seeded.ts";
import { readPrices } from "./read-prices.ts";

const head = "provider,region,sku,unit,fromUnits,price,currency,asOf,source,confidence,note";
const good = "aws,us-east-1,alb,hour,0,0.0225,USD,2026-09-20,https://aws.example,published,";

it("reads a price, exactly", () => {
  expect(
    readPrices(`${head}\ngcp,any,e2,hour,0,0.0083764275,USD,2026-08-03,https://a.example,reported,"a, ""b"""\n`),
  ).toEqual([
    {
      provider: "gcp",
      region: "any",
      sku: "e2",
      unit: "hour",
      fromUnits: 0,
      micros: 83_764_275,
      per: 10_000,
      currency: "USD",
      asOf: "2026-08-03",
      source: "https://a.example",
      confidence: "reported",
    },
  ]);
});

describe("reports the position of an error", () => {
  it.each([
    ["sku,price", "Line 1, column provider: "],
    [`${head}\n${good.replace("0.0225", "free")}`, "Line 2, column price: "],
    [`${head}\n${good.replace("0.0225", "")}`, "Line 2, column price: "],
    [`${head}\n${good.replace("0.0225", "-1")}`, "Line 2, column price: "],
    [`${head}\n\n${good.replace("USD", "dollars")}`, "Line 3, column currency: "],
    [`${head}\n${good.replace("2026-09-20", "2026-02-30")}`, "Line 2, column asOf: "],
    [`${head}\n${good.replace("2026-09-20", "")}`, "Line 2, column asOf: a price without a day"],
    [`${head}\n${good.replace("aws,", "ibm,")}`, "Line 2, column provider: "],
    [`${head}\n${good.replace("hour", "fortnight")}`, "Line 2, column unit: "],
    [`${head}\n${good.replace(",0,", ",half,")}`, "Line 2, column fromUnits: "],
    [`${head}\n${good.replace("https://aws.example", "somewhere")}`, "Line 2, column source: "],
    [`${head}\n${good.replace(",alb,", ",,")}`, "Line 2, column sku: "],
    [`${head}\n${good.slice(0, -1)}`, "Line 2, column note: there are 10 columns, not 11"],
    [`${head}\n${good}\n${good}`, "Line 3, column sku: line 2 has a price"],
  ])("%j", (text, message) => {
    expect(() => readPrices(text)).toThrow(DomainError);
    expect(() => readPrices(text)).toThrow(message);
  });
});

describe("the built-in prices", () => {
  it("include every provider with prices", () => {
    const counts = Map.groupBy(seedPoints, ({ provider }) => provider);
    expect([...counts.keys()].sort()).toEqual([
      "alibaba",
      "aws",
      "azure",
      "bunny",
      "digitalocean",
      "gcp",
      "hetzner",
      "linode",
      "oracle",
      "scaleway",
    ]);
  });

  it("are zero only for free SKUs", () => {
    const free = seedPoints.filter(({ micros }) => micros === 0).map(({ provider, sku }) => `${provider} ${sku}`);
    expect([...new Set(free)].sort()).toEqual([
      "azure egress",
      "bunny requests",
      "gcp rule-ipv4",
      "hetzner egress",
      "oracle egress",
      "oracle flexible-lb",
      "oracle flexible-lb-bandwidth",
      "oracle network-lb",
    ]);
  });
});
