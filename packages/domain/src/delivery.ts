import type { ExposedPort } from "./exposure.ts";
import type { Strategy } from "./strategy.ts";
import type { deliveries, engines } from "./words.ts";

export type Engine = (typeof engines)[number];
export type Delivery = (typeof deliveries)[number];

/** What each engine of the agents can do with a packet. The agents hold themselves to the same list. */
export const engineDeliveries: Record<Exclude<Engine, "auto">, readonly Delivery[]> = {
  tcx: ["direct", "tunnel", "gue", "nat"],
  xdp: ["direct", "tunnel", "gue"],
  ipvs: ["direct", "tunnel", "nat"],
  nftables: ["direct", "nat"],
  userspace: ["proxy"],
};

/** These reach a backend at the port that the client used. */
const keepPort: readonly Delivery[] = ["direct", "tunnel", "gue"];

export type DeliveryProblem = { path: ["strategy", "engine" | "delivery"]; message: string };

/** findDeliveryProblem says why no replica could ever carry what is asked for, or null where some could. */
export function findDeliveryProblem(
  strategy: Strategy,
  ports: readonly Pick<ExposedPort, "port" | "targetPort">[],
): DeliveryProblem | null {
  if (strategy.type !== "ecmp") return null;
  const { engine = "auto", delivery } = strategy;
  const able = engine === "auto" ? null : engineDeliveries[engine];
  if (able && delivery && !able.includes(delivery))
    return {
      path: ["strategy", "delivery"],
      message: `${engine} can't deliver by ${delivery}, only by ${able.join(", ")}: choose one of these, or leave out the delivery`,
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
