import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type AdaptiveDecision,
  type AdaptiveNodeStatus,
  type AdaptiveRole,
  AdaptiveRoleSchema,
  type AdaptiveStatus,
  MeshKeysSchema,
} from "@fairlead/agent-protocol";
import type { AdaptiveConfig } from "@fairlead/domain/load-balancer";
import { type AgentReport, openMeshKey, type SecretBox } from "@fairlead/services/gateway";
import { toHealthCheck } from "../balancers/translate-balancer.ts";

/** toAdaptiveRole derives the key of the mesh. The key of the cluster never leaves the control plane. */
export function toAdaptiveRole(config: AdaptiveConfig, box: Pick<SecretBox, "open">): AdaptiveRole {
  const { sealedKeys, services, ...role } = config;
  return create(AdaptiveRoleSchema, {
    ...role,
    services: services.map(({ healthCheck, ...service }) => ({
      ...service,
      ...(healthCheck ? { healthCheck: toHealthCheck(healthCheck) } : {}),
    })),
    ...(sealedKeys ? { keys: toMeshKeys(sealedKeys, box) } : {}),
  });
}

function toMeshKeys({ current, previous }: NonNullable<AdaptiveConfig["sealedKeys"]>, box: Pick<SecretBox, "open">) {
  return create(MeshKeysSchema, {
    current: openMeshKey(box, current),
    ...(previous === undefined ? {} : { previous: openMeshKey(box, previous) }),
  });
}

type Report = NonNullable<AgentReport["adaptive"]>;

export function toAdaptiveStatus(status: AdaptiveStatus): Report {
  const { problem, meshAddress, cores, throttledRatio, services, peers, decisions } = status;
  return {
    ...{ problem, meshAddress, cores, throttledRatio },
    services: services.map(({ refused, nodes, backends, serviceSeconds, cpuPeriodSeconds, ...service }) => ({
      ...service,
      refused: Number(refused),
      connectionsPerSecond: service.connectionsPerSecond ?? null,
      requestsPerSecond: service.requestsPerSecond ?? null,
      serviceMs: serviceSeconds === undefined ? null : serviceSeconds * 1_000,
      cpuPeriodMs: cpuPeriodSeconds > 0 ? cpuPeriodSeconds * 1_000 : null,
      nodes: nodes.map(toRoute),
      backends: backends.map(({ id, health, message, since }) => ({
        ...{ id, health, message },
        since: since ? timestampDate(since) : null,
      })),
    })),
    peers: peers.map(({ nodeId, state, roundTripMs }) => ({
      ...{ nodeId, isExchanging: state === "exchanging", roundTripMs: roundTripMs > 0 ? roundTripMs : null },
    })),
    decisions: decisions.map(toDecision),
  };
}

const msOfNs = 1e-6;

/** toRoute has no figures of a node whose agent sends none. */
function toRoute(status: AdaptiveNodeStatus): Report["services"][number]["nodes"][number] {
  const { nodeId, open, chosen, failures, share, byWeight, backends, inFlight, requestsPerSecond, cores } = status;
  const isKnown = status.costNs > 0n || cores > 0;
  return {
    ...{ nodeId, open: Number(open), chosen: Number(chosen), failures: Number(failures), share },
    ...{ entered: Number(status.entered), enteredOpen: Number(status.enteredOpen), byWeight, backends },
    inFlight: isKnown ? inFlight : null,
    requestsPerSecond: isKnown ? requestsPerSecond : null,
    serviceMs: isKnown ? status.serviceSeconds * 1_000 : null,
    cores: isKnown ? cores : null,
    costMs: isKnown ? Number(status.costNs) * msOfNs : null,
  };
}

function toDecision(decision: AdaptiveDecision): Report["decisions"][number] {
  const { at, loadBalancerId, backendId, nodeId, byWeight, candidates } = decision;
  return {
    ...{ at: at ? timestampDate(at) : new Date(0), loadBalancerId, backendId, nodeId, byWeight },
    candidates: candidates.map(({ nodeId, beside, costNs, tooOld }) => ({
      ...{ nodeId, beside, costMs: tooOld ? null : Number(costNs) * msOfNs },
    })),
  };
}
