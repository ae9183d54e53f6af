import { describe, expect, it } from "vitest";
import { clientAddressOf, readProxies } from "./client-address.ts";

const proxies = (text: string) => {
  const read = readProxies(text);
  if ("problem" in read) throw new Error(read.problem);
  return read;
};
const none = proxies("");
const two = proxies("10.0.0.1, 172.16.0.0/12, 2001:db8::1");

describe("the client address of a request", () => {
  it.each([
    ["the peer of the connection, not what it claims in the header", "192.0.2.7", "203.0.113.9", none, "192.0.2.7"],
    ["the address that a trusted proxy reports", "10.0.0.1", "203.0.113.9", two, "203.0.113.9"],
    ["the address that the first of two proxies reports", "10.0.0.1", "203.0.113.9, 172.16.3.4", two, "203.0.113.9"],
    ["never an address that a client put in front", "10.0.0.1", "10.9.9.9, 203.0.113.9", two, "203.0.113.9"],
    ["the proxy itself, without a header", "10.0.0.1", undefined, two, "10.0.0.1"],
    ["the outermost proxy, when no address precedes it", "10.0.0.1", "172.16.3.4", two, "172.16.3.4"],
    ["unknown, when a proxy reports no valid address", "10.0.0.1", "unknown", two, null],
    ["unknown, without a connection", undefined, "203.0.113.9", none, null],
    ["an IPv4 address, when it is IPv4-mapped", "::ffff:192.0.2.7", undefined, none, "192.0.2.7"],
    ["an address without its zone", "fe80::1%eth0", undefined, none, "fe80::1"],
    ["an address without its port", "2001:db8::1", "[2001:db8:1::9]:4711", two, "2001:db8:1::9"],
    ["an IPv4 address without its port", "10.0.0.1", "203.0.113.9:4711", two, "203.0.113.9"],
  ])("is %s", (_, connected, forwarded, trusted, want) => {
    expect(clientAddressOf(connected, forwarded, trusted)).toBe(want);
  });
});

it.each(["10.0.0.0/33", "example.com", "10.0.0.1/8", "10.0.0.1;10.0.0.2"])("rejects malformed proxies: %s", (text) => {
  expect(readProxies(text)).toHaveProperty("problem");
});
