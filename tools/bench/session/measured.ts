import type { Cost, LeftOut } from "../datapath/measured.ts";

export const workloads = {
  small: "small, kept alive",
  return: "resumed connections",
  "large-hello": "resumed connections, hello in two packets",
  sequence: "one client in sequence",
} as const;
export type Workload = keyof typeof workloads;

/** What `fairlead-bench session` prints, one per line; see the Go type SessionLine. */
export type Turn = {
  round: number;
  subject: string;
  workload: Workload;
  requests: number;
  failed: number;
  seconds: number;
  p50Microseconds: number;
  p99Microseconds: number;
  clientCpuSeconds: number;
  balancerCpuSeconds: number;
  backendCpuSeconds: number;
  softirqCpuSeconds: number;
  idleCpuSeconds: number;
  processorSeconds: number;
  because?: string;
  returns?: number;
  resumed?: number;
  sameBackend?: number;
};

/** A case in which clients return. */
export type Returned = {
  resumption: "1.3" | "1.2-ticket" | "1.2-id";
  family: 4 | 6;
  timestamps: boolean;
  helloPackets: number;
  change: "none" | "loss" | "backends" | "replicas";
  connections: number;
  requests: number;
  broken: number;
  failures?: Record<string, number>;
  firstFailure?: string;
  returns: number;
  resumed: number;
  sameBackend: number;
  gone: number;
  goneResumed: number;
  between: number;
  unoffered: number;
  seconds: number;
};
/** How clients return without and with a flood of SYNs; see the Go type Flooded. */
export type Flooded = {
  service: string;
  rate: number;
  sent: number;
  arrived: number;
  quiet: Returned;
  under: Returned;
  maps: MapUse[];
};
export type MapUse = {
  process: string;
  map: string;
  kind: string;
  most: number;
  before: number;
  during: number;
  after: number;
};

export type Home = { returns: number; resumed: number; sameBackend: number };

/** How clients return before and after all servers changed their ticket key; see the Go type Renamed. */
export type Renamed = {
  every: number;
  learned: number;
  before: Home;
  between: Home;
  after: Home;
  broken: number;
};

/** A turn whose requests need all data of their session; see the Go type DataTurn. */
export type DataTurn = Omit<Turn, "workload"> & { tls: "1.2" | "1.3"; bytes: number; lostData?: number };

export type Measured = {
  turns: Turn[];
  costs: Cost[];
  returned: Returned[];
  flooded: Flooded[];
  renamed: Renamed[];
  data: DataTurn[];
  leftOut: LeftOut[];
};

/** How much has to be measured. A part that isn't measured has 0. */
export type Least = {
  rounds: number;
  returns: number;
  cases: number;
  /** SYNs per second. */
  flood: number;
  /** Returns after servers changed their ticket key. */
  names: number;
  dataRounds: number;
};

type Line = {
  turn?: Turn;
  cost?: Cost;
  returned?: Returned;
  flooded?: Flooded;
  renamed?: Renamed;
  data?: DataTurn;
  leftOut?: LeftOut;
};

/** nothing is what a run without output measured. */
export function nothing(): Measured {
  return { turns: [], costs: [], returned: [], flooded: [], renamed: [], data: [], leftOut: [] };
}

/** parseLines parses the output. */
export function parseLines(text: string): Measured {
  const measured = nothing();
  for (const line of text.split("\n").filter(Boolean)) {
    const { turn, cost, returned, flooded, renamed, data, leftOut } = JSON.parse(line) as Line;
    if (turn) measured.turns.push(turn);
    else if (cost) measured.costs.push(cost);
    else if (returned) measured.returned.push(returned);
    else if (flooded) measured.flooded.push(flooded);
    else if (renamed) measured.renamed.push(renamed);
    else if (data) measured.data.push(data);
    else if (leftOut) measured.leftOut.push(leftOut);
    else throw new Error(`Unknown line in the benchmark's output: ${line}`);
  }
  return measured;
}

const changes = { none: "", loss: ", 2 % loss", backends: ", 3 → 5 → 3 backends", replicas: ", replicas killed" };
const resumptions = { "1.3": "TLS 1.3 PSK", "1.2-ticket": "TLS 1.2 ticket", "1.2-id": "TLS 1.2 id" };

/** caseOf names a case. */
export function caseOf({ resumption, family, timestamps, helloPackets, change }: Returned): string {
  const packets = helloPackets === 1 ? "" : `, hello in ${helloPackets} packets`;
  return `${resumptions[resumption]}, IPv${family}${timestamps ? "" : ", no timestamps"}${packets}${changes[change]}`;
}
