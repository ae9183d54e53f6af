import type { Benchmark } from "../main.ts";
import { compare, explain } from "./compare.ts";
import { runLoops } from "./loops.ts";
import { runProgram } from "./program.ts";

const sizes = {
  full: { rounds: 12, for: "700ms", warmup: "150ms", live: 4_000, packets: 300_000, subjects: "" },
  quick: { rounds: 2, for: "250ms", warmup: "100ms", live: 4_000, packets: 300_000, subjects: "" },
  // Earlier turns use 32 connections, whose freed buffers are reused: with few live connections the memory may not grow.
  smoke: { rounds: 1, for: "100ms", warmup: "50ms", live: 200, packets: 10_000, subjects: "tcx direct,HAProxy tcp" },
};

/**
 * Every engine and every peer between one client and two backends. FAIRLEAD_BENCH_SUBJECTS (comma-separated names) selects
 * subjects; --rounds is the number of rounds.
 */
export const run: Benchmark = async ({ form, root, rounds }) => {
  const size = sizes[form];
  const { FAIRLEAD_BENCH_SUBJECTS: subjects = size.subjects } = process.env;
  const args = [
    "datapath",
    `--rounds=${rounds ?? size.rounds}`,
    `--for=${size.for}`,
    `--warmup=${size.warmup}`,
    `--live=${size.live}`,
    ...(subjects ? [`--subjects=${subjects}`] : []),
  ];
  let round = -1;
  const measured = await runProgram(root, args, ({ turns: [turn] }) => {
    if (!turn || turn.round <= round) return;
    round = turn.round;
    console.error(`round ${round + 1}`);
  });
  const loops = await runLoops(root, rounds ?? size.rounds, size.packets);
  return {
    results: compare({ ...measured, loops }, subjects ? subjects.split(",") : undefined),
    limits: explain(measured),
  };
};
