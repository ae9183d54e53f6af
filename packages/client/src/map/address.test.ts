import { describe, expect, it } from "vitest";
import { formatEndpoint, isHost, networksOf, normalHost, parseEndpoint } from "./address.ts";

it.each([
  ["10.0.5.5", "10.0.5.5"],
  ["Redis-0.Redis.svc.", "redis-0.redis.svc"],
  ["[2001:DB8:0:0::1]", "2001:db8::1"],
  ["::ffff:10.0.5.5", "10.0.5.5"],
  ["fe80::1%eth0", "fe80::1%eth0"],
  ["not:an:address", "not:an:address"],
])("normalises %s to %s", (host, expected) => {
  expect(normalHost(host)).toBe(expected);
});

describe("what can be dialled", () => {
  it.each(["10.0.5.5", "::1", "a", "redis-0.redis", "lb-1.eu.example.com", "_srv.example"])("%s can", (host) => {
    expect(isHost(host)).toBe(true);
  });
  it.each(["", "a b", "a\nb", "$(id)", "-oProxy", "a..b", "fe80::1%eth0", "<x>", '"', "a".repeat(254)])(
    "%j can't",
    (host) => {
      expect(isHost(host)).toBe(false);
    },
  );
});

it.each([
  ["10.0.5.5:6379", { host: "10.0.5.5", port: 6379 }],
  ["fd00::5:6379", { host: "fd00::5", port: 6379 }],
  ["[fd00::5]:6379", { host: "fd00::5", port: 6379 }],
  ["redis-0:6379", { host: "redis-0", port: 6379 }],
  ["10.0.5.5", null],
  ["10.0.5.5:0", null],
  ["10.0.5.5:65536", null],
  [":6379", null],
])("reads %s", (text, expected) => {
  expect(parseEndpoint(text)).toEqual(expected);
});

it("writes IPv6 in brackets", () => {
  expect(formatEndpoint({ host: "fd00::5", port: 1 })).toBe("[fd00::5]:1");
});

it.each(["10.0.0.0", "10.0.0.0/33", "fd00::/129", "/8", "10.0.0.0/8/8", "10.0.0.0/-1", "example/8"])(
  "rejects the network %s",
  (network) => {
    expect(networksOf(["10.0.0.0/8", network])).toEqual({ invalid: network });
  },
);
