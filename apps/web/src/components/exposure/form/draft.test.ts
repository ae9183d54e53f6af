import { type CreateExposure, sessionDefaults } from "@fairlead/domain/exposure";
import { expect, it } from "vitest";
import { checkDraft } from "./check-draft.ts";
import { draftOf } from "./draft.ts";
import { clusterId, poolId } from "./testing/filled-draft.ts";

const base = { clusterId, name: "shop", labels: { team: "web" }, ports: [{ port: 53, protocol: "udp" as const }] };
const workload = { namespace: "shop", kind: "stateful-set" as const, name: "db" };
const timing = { intervalMs: 250, timeoutMs: 200, rise: 1, fall: 5 };
const specs: CreateExposure[] = [
  {
    ...{ ...base, ports: [{ port: 443, protocol: "tcp" }], workload, healthCheck: null },
    strategy: { type: "per-replica", addressing: "shared-sni", replicas: 2, poolId, dnsZone: "games.example.com" },
  },
  {
    ...base,
    workload,
    strategy: {
      type: "per-replica",
      addressing: "dedicated",
      dnsZone: "games.example.com",
      keepSeconds: 0,
      drainSeconds: 60,
    },
  },
  {
    ...base,
    workload,
    strategy: { type: "per-replica", addressing: "balancer", replicas: 3, poolId },
    healthCheck: { type: "none" },
  },
  { ...base, workload, strategy: { type: "ecmp", replicas: 3, poolId }, healthCheck: null },
  {
    ...base,
    workload,
    strategy: { type: "ecmp", replicas: 3, poolId, engine: "xdp", delivery: "tunnel" },
    healthCheck: { type: "grpc", service: "shop.Cart", port: 9_000, ...timing },
  },
  {
    ...base,
    workload,
    strategy: { type: "ecmp", replicas: 1, poolId },
    healthCheck: { type: "https", path: "/up", host: "shop.test", statuses: [200, 404], ...timing },
  },
  {
    ...base,
    workload,
    strategy: { type: "ecmp", replicas: 1, poolId },
    healthCheck: { type: "udp", send: "ping", expect: "pong", ...timing },
  },
  { ...base, workload, strategy: { type: "ecmp", replicas: 1, poolId }, healthCheck: { type: "none" } },
  {
    ...base,
    workload,
    strategy: { type: "ecmp", replicas: 1, poolId, engine: "ipvs", scheduler: "sed" },
    healthCheck: null,
  },
  {
    ...base,
    workload,
    strategy: { type: "ecmp", replicas: 1, poolId, delivery: "proxy", proxyProtocol: true },
    healthCheck: null,
  },
  {
    ...{ ...base, ports: [{ port: 443, protocol: "tcp" }], workload },
    strategy: { type: "session", replicas: 3, poolId, ...sessionDefaults },
    healthCheck: null,
  },
  {
    ...{ ...base, ports: [{ port: 443, protocol: "tcp" }], workload, healthCheck: { type: "none" } },
    strategy: {
      ...{ type: "session", replicas: 1, poolId, names: "learned", ids: false, ticketHours: 48, delivery: "tunnel" },
      ...{ fallbacks: ["plain"], sessionDrainSeconds: 600, drainSeconds: 30 },
      serverNames: ["shop.example.com", "api.example.com"],
    },
  },
  { ...base, workload, strategy: { type: "adaptive", poolId }, healthCheck: null },
  {
    ...{ ...base, workload, healthCheck: { type: "none" } },
    strategy: { type: "adaptive", poolId, standby: { tier: "spare" }, endsConnections: true, drainSeconds: 5 },
  },
  { ...base, workload, strategy: { type: "adaptive", poolId, outside: { replicas: 2 } }, healthCheck: null },
  {
    ...{ ...base, workload, healthCheck: null },
    strategy: { type: "adaptive", poolId, outside: { replicas: 3, delivery: "nat" } },
  },
  {
    ...base,
    workload: { namespace: "shop", kind: "selector", selector: { app: "db", tier: "data" } },
    strategy: { type: "cloud", provider: "gcp", scheme: "internal" },
  },
];

it.each(specs.map((spec) => [spec.strategy.type, spec] as const))(
  "round-trips a spec of the strategy %s",
  (_, spec) => {
    expect(checkDraft(draftOf(spec)).spec).toEqual(spec);
  },
);
