import { deliveries } from "./engines.ts";
import type { ExposedPort } from "./exposed-port.ts";
import type { AdaptiveStrategy } from "./strategy.ts";

export type OutsideProblem = { path: ["strategy", "outside", "delivery"]; message: string };

/** findOutsideProblem returns why no balancer could ever carry connections from outside, or null. */
export function findOutsideProblem(
  { outside }: AdaptiveStrategy,
  ports: readonly Pick<ExposedPort, "port" | "targetPort">[],
): OutsideProblem | null {
  const delivery = outside?.delivery;
  const moved = ports.find(({ port, targetPort = port }) => targetPort !== port);
  if (!moved || !delivery || !deliveries[delivery].keepsPort) return null;
  return {
    path: ["strategy", "outside", "delivery"],
    message: `${delivery} leaves the port as it is, so ${moved.port} → ${moved.targetPort} is not possible: choose nat, or expose the target port itself`,
  };
}
