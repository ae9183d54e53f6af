import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { topologyOf, whyNoSessions } from "./demo-sessions.ts";

it.each([
  ["6.8.0-45-generic", true, "it needs Linux 6.9, and this is 6.8.0-45-generic."],
  ["5.15.0", true, "it needs Linux 6.9, and this is 5.15.0."],
  ["6.9.0", true, null],
  ["6.12.48+deb13-amd64", true, null],
  ["7.0.0-rc1", true, null],
  ["6.12.0", false, "it needs eBPF, which only root may use."],
])("says why the demo has no TLS service on Linux %s", (release, isRoot, want) => {
  expect(whyNoSessions(release, isRoot)).toBe(want);
});

it("leaves the TLS service and its traffic out of the topology where it can't be carried", () => {
  const shipped = readFileSync(path.join(import.meta.dirname, "demo-topology.yaml"), "utf8");
  const options = { name: "fl1", routing: "bgp" } as const;
  const whole = topologyOf(shipped, { ...options, hasSessions: true });
  expect(whole).toBe(`name: fl1\nrouting: bgp\n${shipped}`);
  expect(whole.match(/service: web-tls/g)).toHaveLength(2);
  const without = topologyOf(shipped, { ...options, hasSessions: false });
  expect(without).not.toContain("web-tls");
  expect(without.match(/service: web,/g)).toHaveLength(3);
});
