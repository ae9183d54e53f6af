import { type AddressingProblem, findAddressingProblem } from "../load-balancer/instance-balancer.ts";
import { type DeliveryProblem, findDeliveryProblem } from "./delivery.ts";
import type { ExposedPort } from "./exposed-port.ts";
import { type AdaptivePortProblem, findAdaptiveProblem } from "./find-adaptive-problem.ts";
import type { OutsideProblem } from "./find-outside-problem.ts";
import { findSessionProblem, type SessionProblem } from "./find-session-problem.ts";
import { findNamingProblem, type NamingProblem } from "./named-balancer.ts";
import type { Strategy } from "./strategy.ts";

/** findStrategyProblem returns why a strategy could never work for these ports, or null. */
export function findStrategyProblem(
  strategy: Strategy,
  ports: readonly (Pick<ExposedPort, "port" | "targetPort"> & Partial<Pick<ExposedPort, "protocol">>)[],
): DeliveryProblem | AddressingProblem | NamingProblem | SessionProblem | AdaptivePortProblem | OutsideProblem | null {
  return (
    findDeliveryProblem(strategy, ports) ??
    findNamingProblem(strategy, ports) ??
    findSessionProblem(strategy, ports) ??
    findAdaptiveProblem(strategy, ports) ??
    findAddressingProblem(strategy)
  );
}
