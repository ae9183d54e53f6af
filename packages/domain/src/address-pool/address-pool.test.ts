import { describe, expect, it } from "vitest";
import { newId } from "../id-text.ts";
import { createAddressPool, updateAddressPool } from "./address-pool.ts";

describe("the note of a pool", () => {
  it("is empty by default, and stays as it is if an update omits it", () => {
    const spec = { clusterId: newId("cluster"), name: "public", prefix: "192.0.2.0/24" };
    expect(createAddressPool.parse(spec)).toEqual({ ...spec, note: "" });
    expect(updateAddressPool.parse({})).toEqual({});
  });

  it.each([
    ["longer than 200 characters", "a".repeat(201)],
    ["of two lines", "the uplink\nask Ana"],
  ])("is rejected if it is %s", (_, note) => {
    expect(updateAddressPool.safeParse({ note }).error?.issues).toMatchObject([{ path: ["note"] }]);
  });
});

describe("the prefix of a pool", () => {
  const problemOf = (prefix: string) =>
    createAddressPool.safeParse({ clusterId: newId("cluster"), name: "public", prefix }).error?.issues;

  it.each([
    ["0.0.0.0/0", "it covers all addresses"],
    ["::/0", "it covers all addresses"],
    ["0.0.0.0/8", "it overlaps 0.0.0.0/8 (addresses of the own host)"],
    ["127.0.0.1/32", "it overlaps 127.0.0.0/8 (loopback)"],
    ["126.0.0.0/7", "it overlaps 127.0.0.0/8 (loopback)"],
    ["169.254.169.254/32", "it overlaps 169.254.0.0/16 (link-local)"],
    ["224.0.0.0/24", "it overlaps 224.0.0.0/4 (multicast)"],
    ["255.255.255.255/32", "it overlaps 240.0.0.0/4 (reserved)"],
    ["::1/128", "it overlaps ::/96 (loopback and reserved)"],
    ["::/64", "it overlaps ::/96 (loopback and reserved)"],
    ["::ffff:7f00:1/128", "it overlaps ::ffff:0:0/96 (IPv4 addresses written as IPv6)"],
    ["fe80::/64", "it overlaps fe80::/10 (link-local)"],
    ["ff02::/16", "it overlaps ff00::/8 (multicast)"],
  ])("is rejected with the reason if no client can use it: %s", (prefix, reason) => {
    const message = expect.stringContaining(`${prefix} can't be a pool: ${reason}`);
    expect(problemOf(prefix)).toMatchObject([{ path: ["prefix"], message }]);
  });

  it.each(["192.0.2.0/24", "10.0.0.0/8", "100.64.0.0/10", "198.18.0.0/15", "2001:db8::/32", "fd00::/64", "1.0.0.0/8"])(
    "may be private, or for documentation: %s",
    (prefix) => {
      expect(problemOf(prefix)).toBeUndefined();
    },
  );

  it("has one message if it is no prefix", () => {
    expect(problemOf("10.0.0.7/24")).toMatchObject([{ message: expect.stringContaining("has host bits set") }]);
  });
});
