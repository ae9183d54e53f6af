import type { Benchmark } from "../main.ts";
import { compare, explain } from "./compare.ts";
import { runProgram } from "./program.ts";

const sizes = {
  full: { rounds: 12, for: "700ms", warmup: "150ms", live: 4_000 },
  quick: { rounds: 2, for: "250ms", warmup: "100ms", live: 400 },
};

/**
 * Every engine and every peer between one client and two backends. FAIRLEAD_BENCH_SUBJECTS, names separated by commas,
 * leaves others out; --rounds is how often.
 */
export const run: Benchmark = async ({ quick, root, rounds }) => {
  const size = quick ? sizes.quick : sizes.full;
  const { FAIRLEAD_BENCH_SUBJECTS: subjects } = process.env;
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
  return { results: compare(measured, subjects?.split(",")), limits: explain(measured) };
};
