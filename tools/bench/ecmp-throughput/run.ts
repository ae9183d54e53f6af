import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { explain, judge, parseLines } from "./judge.ts";

const sizes = {
  full: { rounds: 5, for: "2s", changes: 20, every: "15s" },
  quick: { rounds: 1, for: "500ms", changes: 3, every: "4s" },
};

/**
 * One to four replicas carry uploads, each behind a cable of 50 Mbit/s and then behind none that is bounded; then their
 * number changes by chance while uploads go on. --rounds is how often each number is measured.
 */
export const run: Benchmark = async ({ quick, root, rounds }) => {
  const size = { ...(quick ? sizes.quick : sizes.full), ...(rounds ? { rounds } : {}) };
  const options = Object.entries(size).map(([name, value]) => `--${name}=${value}`);
  const lines = await buildPrograms(root, ["fairlead-bench", "fairlead-agent"], ([bench, agent]) =>
    runLines(bench, ["ecmp-throughput", `--agent=${agent}`, ...options], (line) => {
      for (const { before, replicas, carried } of parseLines(line).followed)
        console.error(`${before} → ${replicas} replicas: ${carried.toFixed(0)} Mbit/s ${"█".repeat(carried / 5)}`);
    }),
  );
  const measured = parseLines(lines.join("\n"));
  return {
    results: judge(measured, { replicas: 4, rounds: size.rounds, changes: size.changes }),
    limits: explain(measured),
  };
};
