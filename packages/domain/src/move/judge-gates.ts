import type { MoveGate, MoveGates } from "./move.ts";

/** MoveSide is what is known of the load balancer in one cluster. */
export type MoveSide = {
  /** false: all its agents are silent. */
  isReachable: boolean;
  /** Whether it takes new connections: it isn't being removed, a replica is ready, and a backend is up. */
  isServing: boolean;
  backendsUp: number;
};

/** MoveFigures are measured since the present step began, at most for the last minute; null where nothing is reported. */
export type MoveFigures = {
  source: MoveSide;
  target: MoveSide;
  errorPercent: MoveFigure;
  latencyMsP99: MoveFigure;
  cpuPercent: MoveFigure;
};

export type MoveFigure = { value: number; sampleCount: number } | null;

/** Fewer samples may be of the time before the step, or of one outlier. */
const fewestSamples = 3;

/** judgeGates compares the figures of the target with the limits. */
export function judgeGates(gates: MoveGates, figures: MoveFigures): MoveGate[] {
  const { backendsUp } = figures.target;
  const limit = gates.minBackendsUp;
  const backends = `${backendsUp} ${backendsUp === 1 ? "backend is" : "backends are"} up`;
  const isEnough = backendsUp >= limit && figures.target.isServing;
  return [
    {
      ...{ name: "backends", state: isEnough ? "open" : "closed", value: backendsUp, limit },
      message:
        backendsUp >= limit && !isEnough ? `${backends}, but no replica serves` : `${backends} of at least ${limit}`,
    },
    judgeMost("errors", figures.errorPercent, gates.maxErrorPercent, "of packets dropped", "%"),
    judgeMost("latency", figures.latencyMsP99, gates.maxLatencyMsP99, "set-up, p99", "ms"),
    judgeMost("capacity", figures.cpuPercent, gates.maxCpuPercent, "CPU of a balancer's node", "%"),
  ];
}

function judgeMost(
  name: MoveGate["name"],
  figure: MoveFigure,
  limit: number | null,
  what: string,
  unit: string,
): MoveGate {
  const value = figure && round(figure.value);
  if (limit === null) return { name, state: "unmeasured", value, limit, message: "no limit is set" };
  if (figure === null || value === null) return { name, state: "unmeasured", value, limit, message: "not measured" };
  const message = `${value} ${unit} ${what}, at most ${limit} ${unit}`;
  if (figure.sampleCount < fewestSamples)
    return { name, state: "unmeasured", value, limit, message: `too few figures since the step: ${message}` };
  return { name, state: value <= limit ? "open" : "closed", value, limit, message };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
