import { describe, expect, it } from "vitest";
import { countOf, percent } from "./numbers.ts";
import { describePort, describeTarget } from "./ports.ts";

describe("words", () => {
  it.each([
    [{ port: 443, protocol: "tcp" as const }, "443 tcp"],
    [{ port: 443, targetPort: 443, protocol: "tcp" as const }, "443 tcp"],
    [{ port: 53, targetPort: 5353, protocol: "udp" as const }, "53 → 5353 udp"],
  ])("describes the port %j", (port, want) => {
    expect(describePort(port)).toBe(want);
  });

  it.each([
    [{ namespace: "shop", kind: "deployment" as const, name: "web" }, "shop/web"],
    [
      { namespace: "shop", kind: "selector" as const, selector: { app: "web", tier: "front" } },
      "shop/app=web,tier=front",
    ],
  ])("names the workload %j", (workload, want) => {
    expect(describeTarget(workload)).toBe(want);
  });

  it("spells numbers", () => {
    expect(countOf(1, "node")).toBe("1 node");
    expect(countOf(12_000, "node")).toBe("12,000 nodes");
    expect(countOf(0, "entry", "entries")).toBe("0 entries");
    expect(percent(0.837)).toBe("84 %");
  });
});
