import { describe, expect, it } from "vitest";
import { clusterRouting, updateClusterRouting } from "./cluster-routing.ts";

const least = { asn: 65_021, balancers: ["10.0.0.0/24"] };
const peer = (name: string, address: string) => ({ name, address });

describe("the routing of a cluster", () => {
  it("needs only an AS and the network of the balancers", () => {
    expect(clusterRouting.parse(least)).toMatchObject({
      reflectors: [],
      holdSeconds: 9,
      detection: null,
      drainSeconds: 30,
    });
  });

  it("has no default MED and keepalive time, and accepts them up to the limits of BGP and agents", () => {
    expect(clusterRouting.parse(least)).not.toHaveProperty("med");
    expect(clusterRouting.parse(least)).not.toHaveProperty("keepaliveSeconds");
    const most = { ...least, med: 4_294_967_295, holdSeconds: 10, keepaliveSeconds: 3 };
    expect(clusterRouting.parse(most)).toMatchObject({ med: 4_294_967_295, keepaliveSeconds: 3 });
  });

  it("contains no password once it is stored", () => {
    expect(clusterRouting.safeParse({ ...least, password: "x" }).success).toBe(false);
    expect(updateClusterRouting.parse({ ...least, password: "x" }).password).toBe("x");
  });

  it.each([
    ["asn", { ...least, asn: 0 }, "numbered from 1"],
    ["asn", { ...least, asn: 4_294_967_295 }, "numbered up to"],
    ["balancers", { ...least, balancers: [] }, "enter the network"],
    ["balancers.0", { ...least, balancers: ["10.0.0.7/24"] }, "did you mean 10.0.0.0/24"],
    ["holdSeconds", { ...least, holdSeconds: 2 }, "3 seconds at least"],
    ["keepaliveSeconds", { ...least, keepaliveSeconds: 0 }, "1 second at least"],
    ["keepaliveSeconds", { ...least, keepaliveSeconds: 4 }, "at most, 3 s; or raise the hold time to 12 s"],
    ["keepaliveSeconds", { ...least, holdSeconds: 5, keepaliveSeconds: 2 }, "at most, 1 s"],
    ["med", { ...least, med: -1 }, "0 at least"],
    ["med", { ...least, med: 4_294_967_296 }, "4294967295 at most"],
    ["med", { ...least, med: 1.5 }, "whole number"],
    ["preference", { ...least, preference: 1 }, "for draining balancers"],
    ["communities.0", { ...least, communities: ["65021"] }, "enter two numbers"],
    ["communities.0", { ...least, communities: ["65536:1"] }, "enter two numbers"],
    ["reflectors.0.address", { ...least, reflectors: [peer("a", "rr-1")] }, "IPv4 or IPv6 address"],
    [
      "reflectors.1.address",
      { ...least, reflectors: [peer("a", "10.0.0.1"), peer("b", "10.0.0.1")] },
      "is listed twice",
    ],
    ["reflectors.1.name", { ...least, reflectors: [peer("a", "10.0.0.1"), peer("a", "10.0.0.2")] }, "is listed twice"],
    ["password", { ...least, password: "two words" }, "without blanks"],
    ["password", { ...least, password: "x".repeat(81) }, "80 characters"],
  ])("reports what is wrong with %s", (path, input, words) => {
    const { error } = updateClusterRouting.safeParse(input);
    const issues = error?.issues.map((each) => `${each.path.join(".")}: ${each.message}`) ?? [];
    expect(issues.join("\n")).toContain(words);
    expect(issues.some((each) => each.startsWith(path))).toBe(true);
  });
});
