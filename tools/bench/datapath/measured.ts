export type Workload = "small" | "new" | "bulk" | "udp";

/** What `fairlead-bench datapath` prints, one per line; see the Go package bench. */
export type Turn = {
  round: number;
  subject: string;
  kind: "direct" | "hop" | "engine" | "peer";
  workload: Workload;
  requests: number;
  failed: number;
  lost: number;
  late: number;
  seconds: number;
  p99Microseconds: number;
  clientCpuSeconds: number;
  balancerCpuSeconds: number;
  backendCpuSeconds: number;
  softirqCpuSeconds: number;
  idleCpuSeconds: number;
  processorSeconds: number;
  because?: string;
};
/**
 * Of a program: the cost of a packet, that of one in an empty program in the same turn, and the instructions that the
 * kernel's verifier processed.
 */
export type Cost = {
  round: number;
  subject: string;
  nanoseconds: number;
  emptyNanoseconds: number;
  packets: number;
  verified: number;
};
/** Maximum memory growth of a balancer's processes, compared to no connections; each connection has a large reply in flight. */
export type Memory = { subject: string; connections: number; bytes: number };
export type LeftOut = { subject: string; reason: string };
export type Applied = {
  subject: string;
  what: "grows" | "changes" | "shrinks";
  loaded: boolean;
  flows: number;
  changes: number;
  seconds: number;
  cpuSeconds: number;
  memoryBytes: number;
  kernelBytes: number;
};
/** A turn while an engine applies configs repeatedly, with the resent TCP segments and the first packets that waited. */
export type LoadedTurn = Pick<Turn, "subject" | "workload" | "requests" | "failed" | "lost" | "late"> & {
  resent: number;
  resentFirst: number;
  resentEarly: number;
  resentRepaired: number;
  held: number;
};
export type Measured = {
  turns: Turn[];
  loaded: LoadedTurn[];
  costs: Cost[];
  memories: Memory[];
  applied: Applied[];
  leftOut: LeftOut[];
};

type Line = {
  turn?: Turn;
  loaded?: LoadedTurn;
  cost?: Cost;
  memory?: Memory;
  applied?: Applied;
  leftOut?: LeftOut;
};

/** parseLines parses the output. */
export function parseLines(text: string): Measured {
  const measured: Measured = { turns: [], loaded: [], costs: [], memories: [], applied: [], leftOut: [] };
  for (const line of text.split("\n")) {
    if (!line) continue;
    const { turn, loaded, cost, memory, applied, leftOut } = JSON.parse(line) as Line;
    if (turn) measured.turns.push(turn);
    else if (loaded) measured.loaded.push(loaded);
    else if (cost) measured.costs.push(cost);
    else if (memory) measured.memories.push(memory);
    else if (applied) measured.applied.push(applied);
    else if (leftOut) measured.leftOut.push(leftOut);
    else throw new Error(`Unknown line in the benchmark's output: ${line}`);
  }
  return measured;
}
