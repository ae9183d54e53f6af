import type { ClusterKind } from "../cluster/cluster.ts";
import { costEngine } from "./adaptive.ts";
import {
  anyEngine,
  type Delivery,
  deliveries,
  deliveriesOf,
  type Engine,
  engines,
  type PacketEngine,
  packetEngines,
  schedulersOf,
} from "./engines.ts";
import type { ExposedPort } from "./exposed-port.ts";
import { namedBalancerOf } from "./named-balancer.ts";
import { sessionEngine } from "./session.ts";
import { hasEngine, type Strategy } from "./strategy.ts";

/** The part of an exposure that decides which engines can carry it. */
export type EngineSpec = { engine?: Engine | undefined; delivery?: Delivery | undefined; movesPort: boolean };

/** enginesFor returns the engines that can carry such an exposure. */
export function enginesFor({ engine = anyEngine, delivery, movesPort }: EngineSpec): PacketEngine[] {
  return packetEngines.filter((each) => {
    const able = deliveriesOf(each).filter((way) => !(movesPort && deliveries[way].keepsPort));
    return (engine === anyEngine || engine === each) && (delivery ? able.includes(delivery) : able.length > 0);
  });
}

/**
 * RequestedDelivery is the delivery in a spec. isNamed: clients select a backend by TLS server name. bySession: connections
 * are placed by TLS session, and isTaken: an instance takes them, or did in the last sessionTakenForMs; mayProxy: a proxy
 * may carry them otherwise; unwraps: the agents next to all instances that take them unwrap packets, as earlier ones don't.
 */
export type RequestedDelivery = {
  engine?: Engine | undefined;
  delivery?: Delivery | undefined;
  isNamed: boolean;
  bySession?: { isTaken: boolean; mayProxy: boolean; unwraps: boolean } | undefined;
};

/**
 * deliveryOf is the delivery, or undefined to leave it to the engine. Only a proxy can read server names. A Kubernetes pod
 * has no service address and doesn't decapsulate tunnels, so unless the spec sets a delivery, packets are sent to the pod's
 * own address.
 */
export function deliveryOf(
  { engine = anyEngine, delivery, isNamed, bySession }: RequestedDelivery,
  kind: ClusterKind,
): Delivery | undefined {
  if (isNamed) return "proxy";
  if (bySession) return delivery ?? (kind === "kubernetes" ? toPodsBySession(bySession) : "direct");
  if (delivery || kind !== "kubernetes") return delivery;
  return engine === anyEngine ? "nat" : (engines[engine].toPods ?? undefined);
}

/**
 * A pod that takes connections by TLS session has the service address, and its node's agent unwraps tunnels for it. Most pods
 * are on another network than the nodes, which direct can't reach; gue is UDP, which more networks carry than IP in IP. With
 * earlier agents, pods get packets as before, until all are updated.
 */
function toPodsBySession({ isTaken, mayProxy, unwraps }: NonNullable<RequestedDelivery["bySession"]>): Delivery {
  if (isTaken) return unwraps ? "gue" : "direct";
  return mayProxy ? "proxy" : "nat";
}

/** engineSpecOf is the EngineSpec of a strategy and its ports, in a cluster of this kind. */
export function engineSpecOf(
  strategy: Strategy,
  ports: readonly Pick<ExposedPort, "port" | "targetPort">[],
  kind: ClusterKind,
): EngineSpec {
  const movesPort = ports.some(({ port, targetPort = port }) => targetPort !== port);
  if (strategy.type === "session") return { engine: sessionEngine, movesPort };
  const { engine, delivery } = engineOf(strategy);
  return {
    engine,
    delivery: deliveryOf({ engine, delivery, isNamed: namedBalancerOf(strategy) !== null }, kind),
    movesPort,
  };
}

function engineOf(strategy: Strategy): Pick<EngineSpec, "engine" | "delivery"> {
  if (strategy.type === "adaptive") return { engine: costEngine, delivery: strategy.outside?.delivery };
  return hasEngine(strategy) ? strategy : {};
}

export type DeliveryProblem = {
  path: ["strategy", "engine" | "delivery" | "scheduler" | "proxyProtocol"];
  message: string;
};

/** findDeliveryProblem returns why no replica could ever carry this spec, or null. */
export function findDeliveryProblem(
  strategy: Strategy,
  ports: readonly Pick<ExposedPort, "port" | "targetPort">[],
): DeliveryProblem | null {
  if (!hasEngine(strategy)) return null;
  const { engine = anyEngine, delivery, scheduler, proxyProtocol } = strategy;
  const able = engine === anyEngine ? null : deliveriesOf(engine);
  if (able && delivery && !able.includes(delivery))
    return {
      path: ["strategy", "delivery"],
      message: `${engine} can't deliver by ${delivery}, only by ${able.join(", ")}: choose one of these, or leave out the delivery`,
    };
  if (scheduler && !schedulersOf(engine).includes(scheduler)) {
    const having = packetEngines.filter((each) => schedulersOf(each).includes(scheduler)).join(" or ");
    return {
      path: ["strategy", "scheduler"],
      message: `only ${having} has the scheduler ${scheduler}: choose the engine ${having}, or leave out the scheduler`,
    };
  }
  if (proxyProtocol && delivery !== "proxy")
    return {
      path: ["strategy", "proxyProtocol"],
      message: "only a proxy can write the PROXY protocol: choose the delivery proxy, or leave out the protocol",
    };
  const moved = ports.find(({ port, targetPort = port }) => targetPort !== port);
  if (!moved) return null;
  const way = `${moved.port} → ${moved.targetPort}`;
  if (delivery && deliveries[delivery].keepsPort)
    return {
      path: ["strategy", "delivery"],
      message: `${delivery} leaves the port as it is, so ${way} is not possible: choose nat or proxy, or expose the target port itself`,
    };
  if (able?.every((each) => deliveries[each].keepsPort))
    return {
      path: ["strategy", "engine"],
      message: `${engine} leaves the port as it is, so ${way} is not possible: choose auto or another engine, or expose the target port itself`,
    };
  return null;
}
