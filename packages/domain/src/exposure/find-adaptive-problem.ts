import type { ExposedPort } from "./exposed-port.ts";
import { findOutsideProblem, type OutsideProblem } from "./find-outside-problem.ts";
import type { Strategy } from "./strategy.ts";

export type AdaptivePortProblem = { path: ["ports", number, "targetPort"]; message: string };

/**
 * findAdaptiveProblem returns why connections to these ports can't be distributed by cost, or null. Requests are counted by the
 * address of an instance, so each belongs to one port.
 */
export function findAdaptiveProblem(
  strategy: Strategy,
  ports: readonly (Pick<ExposedPort, "port" | "targetPort"> & Partial<Pick<ExposedPort, "protocol">>)[],
): AdaptivePortProblem | OutsideProblem | null {
  if (strategy.type !== "adaptive") return null;
  const targets = ports.map(({ port, targetPort = port, protocol = "tcp" }) => `${protocol} ${targetPort}`);
  const second = targets.findIndex((each, index) => targets.indexOf(each) < index);
  if (second < 0) return findOutsideProblem(strategy, ports);
  return {
    path: ["ports", second, "targetPort"],
    message:
      "an instance's port can be behind one port only, with the strategy adaptive: let instances listen on another port, or leave this one out",
  };
}
