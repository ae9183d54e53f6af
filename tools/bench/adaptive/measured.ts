import type { JsonObject } from "@bufbuild/protobuf";
import type { LeftOut } from "../datapath/measured.ts";

/** What `fairlead-bench adaptive` prints, one per line; see the Go type adaptive.Turn. */
export type Turn = {
  round: number;
  scenario: string;
  subject: string;
  requests: number;
  seconds: number;
  meanMs: number;
  p50Ms: number;
  p99Ms: number;
  served: number[][];
  failed: number;
  because?: string;
  recovery?: Recovery;
  latenessP99Ms: number;
  idleShare: number;
  cores: Record<"servers" | "clients" | "agents" | "lines", number>;
  workers?: number[];
  void: string[];
};
export type Recovery = { meansMs: number[]; failures: number[]; finalMeanMs: number; failedLater: number[] };
/** A change of the lab, with what agents reported before it; see the Go type adaptive.WhatIf. */
export type WhatIfTurns = {
  round: number;
  scenario: string;
  change: JsonObject;
  reports: { nodeId: string; status: JsonObject }[];
  before: Turn;
  after: Turn;
};
export type Measured = { turns: Turn[]; leftOut: LeftOut[]; whatIfs: WhatIfTurns[] };

/** parseLines parses the output. */
export function parseLines(text: string): Measured {
  const measured: Measured = { turns: [], leftOut: [], whatIfs: [] };
  for (const line of text.split("\n").filter(Boolean)) {
    const { turn, leftOut, whatIf } = JSON.parse(line) as { turn?: Turn; leftOut?: LeftOut; whatIf?: WhatIfTurns };
    if (turn) measured.turns.push(turn);
    else if (leftOut) measured.leftOut.push(leftOut);
    else if (whatIf) measured.whatIfs.push(whatIf);
    else throw new Error(`Unknown line in the benchmark's output: ${line}`);
  }
  return measured;
}

export function perSecond({ requests, seconds }: Turn): number {
  return requests / seconds;
}

/** localShare is the percentage of requests that were served at the node where they entered. */
export function localShare({ served }: Turn): number {
  const all = served.flat().reduce((sum, each) => sum + each, 0);
  return (100 * served.reduce((sum, row, node) => sum + (row[node] ?? 0), 0)) / Math.max(all, 1);
}

/** coresOf is what all processes of the lab used, without what the kernel did for none of them. */
export function coresOf({ cores }: Turn): number {
  return Object.values(cores).reduce((sum, each) => sum + each, 0);
}
