import type { Turn as DataPathTurn } from "./measured.ts";

/** What is used of a turn with any workload. */
type Turn<Kind extends string = string> = Omit<DataPathTurn, "workload" | "kind" | "lost" | "late"> & {
  workload: Kind;
};

/**
 * explainSpent describes the cost of a request through each subject: client, backends and balancer share the processors,
 * so the largest consumer limits the rate.
 */
export function explainSpent<Kind extends string>(turns: Turn<Kind>[], workload: Kind, subjects: string[]): string {
  return subjects
    .flatMap((subject) => {
      const own = turns.filter((turn) => turn.workload === workload && turn.subject === subject);
      const requests = sum(own, (turn) => turn.requests);
      const all = sum(own, (turn) => turn.processorSeconds);
      if (requests === 0 || all === 0) return [];
      const each = (of: (turn: Turn) => number) => ((1e6 * sum(own, of)) / requests).toFixed(1);
      const idle = sum(own, (turn) => turn.idleCpuSeconds);
      return [
        `a request through ${subject} takes ${each((turn) => turn.processorSeconds - turn.idleCpuSeconds)} µs of CPU time (client ${each((turn) => turn.clientCpuSeconds)}, backends ${each((turn) => turn.backendCpuSeconds)}, processes of the balancer ${each((turn) => turn.balancerCpuSeconds)}; of that, packet processing in the kernel ${each((turn) => turn.softirqCpuSeconds)}), and ${((100 * idle) / all).toFixed(0)} % are idle`,
      ];
    })
    .join("; ");
}

function sum(turns: Turn[], of: (turn: Turn) => number): number {
  return turns.reduce((total, turn) => total + of(turn), 0);
}
