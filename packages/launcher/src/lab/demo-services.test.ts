import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { findAdaptiveLack, type OptionalService, topologyOf, whyNoSessions } from "./demo-services.ts";

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

it.each([
  ["", null],
  ["no agents of the role adaptive: sockets need Linux 6.1 or newer\n", "sockets need Linux 6.1 or newer."],
  ["another line\nno agents of the role adaptive: no cgroups\nlab x is up\n", "no cgroups."],
])("finds in the output %j of a check why connections can't be distributed by cost", (output, want) => {
  expect(findAdaptiveLack(output)).toBe(want);
});

const shipped = readFileSync(path.join(import.meta.dirname, "demo-topology.yaml"), "utf8");
const write = (addresses: readonly [OptionalService, string | null][]) =>
  topologyOf(shipped, { name: "fl1", routing: "bgp", addresses: new Map(addresses) });

it("leaves services that aren't exposed, and their traffic, out of the topology", () => {
  const whole = write([
    ["web-tls", null],
    ["web-adaptive", null],
  ]);
  expect(whole).toBe(`name: fl1\nrouting: bgp\n${shipped}`);
  expect(whole.match(/service: web-tls/g)).toHaveLength(2);
  expect(whole.match(/service: web-adaptive/g)).toHaveLength(2);
  const without = write([]);
  expect(without).not.toMatch(/web-(tls|adaptive)/);
  expect(without.match(/service: web,/g)).toHaveLength(3);
  expect(without).toContain("adaptive: true"); // for exposures of users
});

it("has clients request the addresses of the exposures", () => {
  const text = write([["web-adaptive", "203.0.113.9"]]);
  expect(text).toContain("{name: web-adaptive, address4: 203.0.113.9, pods: web,");
  expect(text.match(/203\.0\.113\.9/g)).toHaveLength(1);
});
