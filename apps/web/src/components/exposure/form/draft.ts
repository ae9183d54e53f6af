import { strategyProviders } from "@fairlead/domain/cost";
import {
  addressingNames,
  addressings,
  type CreateExposure,
  deliveryNames,
  type Exposure,
  engineNames,
  isInstanceBalancer,
  namedBalancerOf,
  type StrategyType,
  schedulerNames,
  schedulersOf,
  strategies,
  strategyTypes,
} from "@fairlead/domain/exposure";
import { instanceBalancerOf } from "@fairlead/domain/load-balancer";
import { z } from "zod";
import { adaptiveDraft, draftOfAdaptive, emptyAdaptive } from "./adaptive-draft.ts";
import { draftOfHealthCheck, emptyHealthCheck, healthCheckDraft } from "./health-check-draft.ts";
import { emptyPair, nextKey, pairRow, toPairs } from "./pair-rows.ts";
import { draftOfPlacements, placementRow } from "./placement-draft.ts";
import { draftOfSession, emptySession, sessionDraft } from "./session-draft.ts";

// A draft is what the fields of the form hold: text as typed, and the fields of every strategy, so that trying
// another one loses nothing.

const portRow = z.object({
  key: z.string(),
  name: z.string(),
  port: z.string(),
  targetPort: z.string(),
  protocol: z.enum(["tcp", "udp"]),
});
export type PortRow = z.infer<typeof portRow>;

export const exposureDraft = z.object({
  clusterId: z.string(),
  name: z.string(),
  namespace: z.string(),
  workloadKind: z.enum(["stateful-set", "deployment", "daemon-set", "selector"]),
  workloadName: z.string(),
  selector: z.array(pairRow),
  ports: z.array(portRow),
  strategy: z.enum(strategyTypes),
  addressing: z.enum(addressingNames),
  replicas: z.string(),
  poolId: z.string(),
  placements: z.array(placementRow),
  dnsZone: z.string(),
  keepSeconds: z.string(),
  drainSeconds: z.string(),
  engine: z.enum(engineNames),
  delivery: z.enum(["best", ...deliveryNames]),
  scheduler: z.enum(["own", ...schedulerNames]),
  clientAddress: z.enum(["not-passed", "proxy-protocol"]),
  clientSampling: z.enum(["off", "on"]),
  session: sessionDraft,
  adaptive: adaptiveDraft,
  healthCheck: healthCheckDraft,
  provider: z.enum(strategyProviders),
  scheme: z.enum(["public", "internal"]),
  labels: z.array(pairRow),
});
export type ExposureDraft = z.infer<typeof exposureDraft>;

/** Fields that depend on another choice are shown and used only with it. */
export function hasScheduler({ engine }: ExposureDraft): boolean {
  return schedulersOf(engine).length > 0;
}

export function hasClientAddress({ delivery }: ExposureDraft): boolean {
  return delivery === "proxy";
}

export function hasInstanceBalancers({
  strategy,
  addressing,
}: Pick<ExposureDraft, "strategy" | "addressing">): boolean {
  return strategies[strategy].madeBy === "addressing" && isInstanceBalancer(addressing);
}

/** Whether each instance has an address or name that can be reserved for it. */
export function hasOwnAddresses({ strategy, addressing }: Pick<ExposureDraft, "strategy" | "addressing">): boolean {
  return strategies[strategy].madeBy === "addressing" && addressings[addressing].isOwn;
}

/**
 * Whether each instance has an address of a Service: it drains for a set time, because our own balancers drain
 * themselves, and external-dns creates names only for Services.
 */
export function hasServiceAddresses(draft: Pick<ExposureDraft, "strategy" | "addressing">): boolean {
  return hasOwnAddresses(draft) && !hasInstanceBalancers(draft);
}

export function hasNamedBalancer({ strategy, addressing }: Pick<ExposureDraft, "strategy" | "addressing">): boolean {
  return strategy === "per-replica" && addressing === "shared-sni";
}

/** Only our own agents run health checks. For others, the stored check is kept. */
export function hasHealthCheck(draft: Pick<ExposureDraft, "strategy" | "addressing">): boolean {
  const { madeBy } = strategies[draft.strategy];
  return madeBy === "agents" || hasInstanceBalancers(draft) || hasNamedBalancer(draft);
}

export function emptyDraft(clusterId = ""): ExposureDraft {
  return {
    clusterId,
    name: "",
    namespace: "default",
    workloadKind: "deployment",
    workloadName: "",
    selector: [emptyPair([])],
    ports: [emptyPort([])],
    strategy: "ecmp",
    addressing: "dedicated",
    replicas: "2",
    poolId: "",
    placements: [],
    dnsZone: "",
    keepSeconds: "",
    drainSeconds: "",
    engine: "auto",
    delivery: "best",
    scheduler: "own",
    clientAddress: "not-passed",
    clientSampling: "off",
    session: emptySession(),
    adaptive: emptyAdaptive(),
    healthCheck: emptyHealthCheck(),
    provider: "aws",
    scheme: "public",
    labels: [],
  };
}

export function emptyPort(rows: PortRow[]): PortRow {
  return { key: nextKey(rows), name: "", port: "", targetPort: "", protocol: "tcp" };
}

/** draftOf fills the form with an existing exposure. */
export function draftOf(exposure: CreateExposure): ExposureDraft {
  const { strategy, workload } = exposure;
  const draft = emptyDraft(exposure.clusterId);
  const selector = toPairs(workload.selector ?? {});
  return {
    ...draft,
    name: exposure.name,
    namespace: workload.namespace,
    workloadKind: workload.kind,
    workloadName: workload.name ?? "",
    selector: selector.length > 0 ? selector : draft.selector,
    ports: exposure.ports.map((port, i) => ({
      key: String(i + 1),
      name: port.name ?? "",
      port: String(port.port),
      targetPort: port.targetPort === undefined ? "" : String(port.targetPort),
      protocol: port.protocol,
    })),
    ...draftOfStrategy(strategy),
    placements: draftOfPlacements(exposure.clusterId, exposure.placements),
    healthCheck: draftOfHealthCheck(exposure.healthCheck),
    labels: toPairs(exposure.labels),
  };
}

function draftOfStrategy(strategy: Exposure["strategy"]): Partial<ExposureDraft> & { strategy: StrategyType } {
  switch (strategy.type) {
    case "per-replica":
      return { strategy: strategy.type, addressing: strategy.addressing, ...draftOfOwnBalancers(strategy) };
    case "ecmp":
      return {
        strategy: strategy.type,
        replicas: String(strategy.replicas),
        poolId: strategy.poolId,
        engine: strategy.engine ?? "auto",
        delivery: strategy.delivery ?? "best",
        scheduler: strategy.scheduler ?? "own",
        clientAddress: strategy.proxyProtocol ? "proxy-protocol" : "not-passed",
        clientSampling: strategy.sampleClients ? "on" : "off",
      };
    case "session":
      return {
        strategy: strategy.type,
        replicas: String(strategy.replicas),
        poolId: strategy.poolId,
        session: draftOfSession(strategy),
      };
    case "adaptive":
      return { strategy: strategy.type, poolId: strategy.poolId, adaptive: draftOfAdaptive(strategy) };
    case "cloud":
      return { strategy: strategy.type, provider: strategy.provider, scheme: strategy.scheme };
    default:
      return strategy satisfies never;
  }
}

function draftOfOwnBalancers(strategy: Extract<Exposure["strategy"], { type: "per-replica" }>): Partial<ExposureDraft> {
  const own = instanceBalancerOf(strategy) ?? namedBalancerOf(strategy);
  const { dnsZone = "", keepSeconds = "", drainSeconds = "" } = strategy;
  const lasting = { dnsZone, keepSeconds: String(keepSeconds), drainSeconds: String(drainSeconds) };
  return own ? { replicas: String(own.replicas), poolId: own.poolId ?? "", ...lasting } : lasting;
}
