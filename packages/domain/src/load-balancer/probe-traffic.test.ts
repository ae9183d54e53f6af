import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { HealthCheck } from "../exposure/health-check.ts";
import { countedByEngine, type Probed, probeTrafficOf } from "./probe-traffic.ts";

const speaker = path.resolve(import.meta.dirname, "../../../../agents/internal/speaker");
const tcp = { protocol: "tcp" } as const;
const udp = { protocol: "udp" } as const;
const timing = { intervalMs: 500, timeoutMs: 500, rise: 2, fall: 3 };
const udpCheck: HealthCheck = { type: "udp", send: "ping", expect: "", ...timing };
const httpCheck: HealthCheck = { type: "http", path: "/", ...timing };

it.each<[string, Probed, ReturnType<typeof probeTrafficOf>]>([
  [
    "eBPF counts packets of TCP probes, and no connections",
    { engine: "tcx", ports: [tcp], healthCheck: null },
    { packetsPerSecond: 10, newConnectionsPerSecond: 0 },
  ],
  [
    "nftables counts both",
    { engine: "nftables", ports: [tcp], healthCheck: null },
    { packetsPerSecond: 10, newConnectionsPerSecond: 5 },
  ],
  [
    "a process counts connections",
    { engine: "userspace", ports: [tcp], healthCheck: null },
    { packetsPerSecond: 0, newConnectionsPerSecond: 5 },
  ],
  [
    "every port is probed",
    { engine: "nftables", ports: [tcp, tcp], healthCheck: null },
    { packetsPerSecond: 20, newConnectionsPerSecond: 10 },
  ],
  [
    "the check of backends doesn't change the interval for TCP",
    { engine: "xdp", ports: [tcp], healthCheck: httpCheck },
    { packetsPerSecond: 10, newConnectionsPerSecond: 0 },
  ],
  [
    "UDP is probed at the interval of its check",
    { engine: "xdp", ports: [udp], healthCheck: udpCheck },
    { packetsPerSecond: 2, newConnectionsPerSecond: 2 },
  ],
  [
    "UDP without a check isn't probed",
    { engine: "tcx", ports: [tcp, udp], healthCheck: null },
    { packetsPerSecond: 10, newConnectionsPerSecond: 0 },
  ],
  ["nothing is probed", { engine: "tcx", ports: [udp], healthCheck: { type: "none" } }, null],
  [
    "IPVS counts both",
    { engine: "ipvs", ports: [tcp], healthCheck: null },
    { packetsPerSecond: 10, newConnectionsPerSecond: 5 },
  ],
  [
    "a process counts datagrams",
    { engine: "userspace", ports: [tcp, udp], healthCheck: udpCheck },
    { packetsPerSecond: 2, newConnectionsPerSecond: 7 },
  ],
  ["the engine is unknown", { engine: "", ports: [tcp], healthCheck: null }, null],
])("%s", (_, probed, want) => {
  expect(probeTrafficOf(probed)).toEqual(want);
});

it("calculates with what the agents measured", () => {
  const measured = readFileSync(path.join(speaker, "inward/inwardtest/counted.json"), "utf8");
  expect(countedByEngine).toEqual(JSON.parse(measured));
  const role = readFileSync(path.join(speaker, "role.go"), "utf8");
  expect(role).toMatch(/\bprobeEvery += 200 \* time\.Millisecond/);
});
