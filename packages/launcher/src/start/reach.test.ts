import type os from "node:os";
import { describe, expect, it } from "vitest";
import { reachOf, urlOf } from "./reach.ts";

type Address = NonNullable<ReturnType<typeof os.networkInterfaces>[string]>[number];

const address = (text: string, internal = false) =>
  ({ address: text, internal, family: text.includes(":") ? "IPv6" : "IPv4" }) as Address;
const unset = { url: null, gatewayUrl: null };

describe("reachOf", () => {
  it.each<[string, string, Record<string, Address[]>, string, string]>([
    ["one address is used unchanged", "10.1.2.3", {}, "10.1.2.3", "10.1.2.3"],
    [
      "a wildcard is replaced with an address of this machine",
      "0.0.0.0",
      { lo: [address("127.0.0.1", true)], eth0: [address("10.0.0.4")] },
      "10.0.0.4",
      "127.0.0.1",
    ],
    [
      "but not the address of a container bridge",
      "0.0.0.0",
      { docker0: [address("172.17.0.1")], eth0: [address("10.0.0.4")] },
      "10.0.0.4",
      "127.0.0.1",
    ],
    [
      "nor a link-local address",
      "0.0.0.0",
      { eth0: [address("169.254.3.4")], eth1: [address("10.0.0.5")] },
      "10.0.0.5",
      "127.0.0.1",
    ],
    [
      "IPv6 if there is no IPv4 address",
      "::",
      { eth0: [address("fe80::1"), address("2001:db8::4")] },
      "2001:db8::4",
      "::1",
    ],
  ])("%s", (_, host, interfaces, others, ourselves) => {
    expect(reachOf({ host, ...unset }, interfaces)).toEqual({ others, ourselves });
  });

  it("fails if there is no usable address and none is set", () => {
    const interfaces = { lo: [address("127.0.0.1", true)] };
    expect(() => reachOf({ host: "0.0.0.0", ...unset }, interfaces)).toThrow("FAIRLEAD_GATEWAY_URL=https://…");
    const set = { host: "0.0.0.0", url: "https://fairlead.example", gatewayUrl: "https://agents.example:7443" };
    expect(reachOf(set, interfaces)).toMatchObject({ ourselves: "127.0.0.1" });
  });
});

it("brackets an IPv6 address in a URL", () => {
  expect(urlOf("https", "2001:db8::4", 7443)).toBe("https://[2001:db8::4]:7443");
});
