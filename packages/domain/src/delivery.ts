import type { ClusterKind } from "./cluster.ts";
import type { ExposedPort } from "./exposure.ts";
import { namedBalancerOf } from "./named-balancer.ts";
import type { Strategy } from "./strategy.ts";
import { type deliveries, engines, type schedulers } from "./words.ts";

export type Engine = (typeof engines)[number];
export type Delivery = (typeof deliveries)[number];
export type Scheduler = (typeof schedulers)[number];

/** One that carries packets. */
export type PacketEngine = Exclude<Engine, "auto">;

/** Any engine will do. */
export const anyEngine = "auto";

/** What each engine of the agents can do with a packet. The agents hold themselves to the same list. */
export const engineDeliveries: Record<PacketEngine, readonly Delivery[]> = {
  tcx: ["direct", "tunnel", "gue", "nat"],
  xdp: ["direct", "tunnel", "gue"],
  ipvs: ["direct", "tunnel", "nat"],
  nftables: ["direct", "nat"],
  userspace: ["proxy"],
};

/** These reach a backend at the port that the client used. */
const keepPort: readonly Delivery[] = ["direct", "tunnel", "gue"];

export const packetEngines = engines.filter((each) => each !== anyEngine);

/** What of an exposure decides which engines can carry it. */
export type EngineWish = { engine?: Engine | undefined; delivery?: Delivery | undefined; movesPort: boolean };

/** enginesFor are those that can carry such an exposure. */
export function enginesFor({ engine = anyEngine, delivery, movesPort }: EngineWish): PacketEngine[] {
  return packetEngines.filter((each) => {
    const deliveries = engineDeliveries[each].filter((way) => !(movesPort && keepPort.includes(way)));
    return (
      (engine === anyEngine || engine === each) && (delivery ? deliveries.includes(delivery) : deliveries.length > 0)
    );
  });
}

/** AskedDelivery is what a wish says of how packets reach a backend; isNamed: a client says by a server name which one. */
export type AskedDelivery = { engine?: Engine | undefined; delivery?: Delivery | undefined; isNamed: boolean };

/**
 * deliveryOf is how packets reach a backend, where that isn't left to the engine. Only a proxy reads whom a client asks for.
 * And a pod of Kubernetes has no service address, and nobody who takes a tunnel's header off: unless somebody says that it
 * has, it gets packets to its own address.
 */
export function deliveryOf({ engine, delivery, isNamed }: AskedDelivery, kind: ClusterKind): Delivery | undefined {
  if (isNamed) return "proxy";
  if (delivery || kind !== "kubernetes" || engine === "xdp") return delivery;
  return engine === "userspace" ? "proxy" : "nat";
}

/** engineWishOf is what a strategy and ports say of that, in a cluster of this kind. */
export function engineWishOf(
  strategy: Strategy,
  ports: readonly Pick<ExposedPort, "port" | "targetPort">[],
  kind: ClusterKind,
): EngineWish {
  const movesPort = ports.some(({ port, targetPort = port }) => targetPort !== port);
  const { engine, delivery } = strategy.type === "ecmp" ? strategy : {};
  return {
    engine,
    delivery: deliveryOf({ engine, delivery, isNamed: namedBalancerOf(strategy) !== null }, kind),
    movesPort,
  };
}

export type DeliveryProblem = {
  path: ["strategy", "engine" | "delivery" | "scheduler" | "proxyProtocol"];
  message: string;
};

/** findDeliveryProblem says why no replica could ever carry what is asked for, or null where some could. */
export function findDeliveryProblem(
  strategy: Strategy,
  ports: readonly Pick<ExposedPort, "port" | "targetPort">[],
): DeliveryProblem | null {
  if (strategy.type !== "ecmp") return null;
  const { engine = anyEngine, delivery, scheduler, proxyProtocol } = strategy;
  const able = engine === anyEngine ? null : engineDeliveries[engine];
  if (able && delivery && !able.includes(delivery))
    return {
      path: ["strategy", "delivery"],
      message: `${engine} can't deliver by ${delivery}, only by ${able.join(", ")}: choose one of these, or leave out the delivery`,
    };
  if (scheduler && engine !== "ipvs")
    return {
      path: ["strategy", "scheduler"],
      message: `only ipvs has the scheduler ${scheduler}: choose the engine ipvs, or leave out the scheduler`,
    };
  if (proxyProtocol && delivery !== "proxy")
    return {
      path: ["strategy", "proxyProtocol"],
      message: "only a proxy can write the PROXY protocol: choose the delivery proxy, or leave out the protocol",
    };
  const moved = ports.find(({ port, targetPort = port }) => targetPort !== port);
  if (!moved) return null;
  const way = `${moved.port} → ${moved.targetPort}`;
  if (delivery && keepPort.includes(delivery))
    return {
      path: ["strategy", "delivery"],
      message: `${delivery} leaves the port as it is, so ${way} is not possible: choose nat or proxy, or expose the target port itself`,
    };
  if (able?.every((each) => keepPort.includes(each)))
    return {
      path: ["strategy", "engine"],
      message: `${engine} leaves the port as it is, so ${way} is not possible: choose auto or another engine, or expose the target port itself`,
    };
  return null;
}
