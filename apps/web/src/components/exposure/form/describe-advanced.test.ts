import { expect, it } from "vitest";
import { describeAdvanced } from "./describe-advanced.ts";
import { emptyHealthCheck } from "./health-check-draft.ts";
import { filled } from "./testing/filled-draft.ts";

it("summarises the advanced fields in one line", () => {
  expect(describeAdvanced(filled())).toBe(
    "Health check: a TCP connection every second, for TCP ports. Engine: the best of each host.",
  );
  const healthCheck = { ...emptyHealthCheck(), kind: "http" as const, path: "/up", port: "8080", intervalMs: "1500" };
  expect(describeAdvanced(filled({ healthCheck, engine: "tcx", delivery: "nat" }))).toBe(
    "Health check: HTTP /up on port 8080, every 1500 ms; healthy after 2, unhealthy after 3 in a row. Engine: tcx, delivery NAT.",
  );
  const proxied = filled({ delivery: "proxy", clientAddress: "proxy-protocol" });
  expect(describeAdvanced(proxied)).toContain("Engine: the best of each host, delivery Proxy with the PROXY protocol.");
  expect(describeAdvanced(filled({ engine: "ipvs", scheduler: "wlc" }))).toContain("Engine: ipvs, scheduler wlc.");
});
