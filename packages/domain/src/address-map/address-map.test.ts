import { describe, expect, it } from "vitest";
import { z } from "zod";
import { newId } from "../id-text.ts";
import { getAddressMap, lookUpMapping, readEnd, waitMs } from "./address-map.ts";

describe("an end to look up", () => {
  it.each([
    ["10.0.5.5", { host: "10.0.5.5", port: null }],
    ["10.0.5.5:11222", { host: "10.0.5.5", port: 11_222 }],
    ["2001:db8::5", { host: "2001:db8::5", port: null }],
    ["[2001:db8::5]:11222", { host: "2001:db8::5", port: 11_222 }],
    ["[2001:db8::5]", { host: "2001:db8::5", port: null }],
    ["lb-7.example.com:443", { host: "lb-7.example.com", port: 443 }],
    ["lb-7.example.com", { host: "lb-7.example.com", port: null }],
  ])("is parsed: %s", (text, want) => {
    expect(readEnd(text)).toEqual(want);
  });

  it.each([
    "10.0.5",
    "10.0.5.256",
    "10.0.5.5:",
    "10.0.5.5:0",
    "10.0.5.5:65536",
    "10.0.5.5:http",
    "[10.0.5.5",
    "[2001:db8::5]:",
    "2001:db8::g",
    "1:2:3",
    "a b",
    "-x",
    "",
    ":80",
  ])("is rejected: %j", (text) => {
    expect(readEnd(text)).toHaveProperty("problem");
  });

  it.each(["10.0.5.5:011", "10.0.5.5:65535", "[2001:db8::5]:80", "lb-7.example.com.:443", "10.0.5", ":80", "-x", ""])(
    "has a documented pattern that accepts what is accepted: %j",
    (text) => {
      const { properties } = z.toJSONSchema(lookUpMapping, { io: "input" });
      const { pattern } = Object(properties?.externalAddress) as { pattern: string };
      expect(new RegExp(pattern).test(text)).toBe(lookUpMapping.safeParse({ externalAddress: text }).success);
    },
  );

  it("is either internal or external", () => {
    expect(lookUpMapping.safeParse({ address: "10.0.0.1" }).success).toBe(true);
    expect(lookUpMapping.safeParse({ externalAddress: "192.0.2.1" }).success).toBe(true);
    expect(lookUpMapping.safeParse({}).success).toBe(false);
    expect(lookUpMapping.safeParse({ address: "10.0.0.1", externalAddress: "192.0.2.1" }).success).toBe(false);
  });
});

describe("a wait", () => {
  const id = newId("exposure");

  it.each(["1s", "30s", "60s"])("of %s", (wait) => {
    expect(getAddressMap.safeParse({ id, after: 0, wait }).success).toBe(true);
    expect(waitMs(wait)).toBe(Number(wait.slice(0, -1)) * 1_000);
  });

  it.each(["0s", "61s", "600s", "30", "1m", "-1s", "1.5s", ""])("is rejected: %j", (wait) => {
    expect(getAddressMap.safeParse({ id, after: 0, wait }).success).toBe(false);
  });

  it("requires the generation to wait for", () => {
    expect(getAddressMap.safeParse({ id, wait: "30s" }).error?.issues[0]?.path).toEqual(["after"]);
    expect(waitMs(undefined)).toBe(0);
  });
});
