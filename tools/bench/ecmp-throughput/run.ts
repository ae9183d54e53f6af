import path from "node:path";
import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { explain, judge, parseLines } from "./judge.ts";

const usual = { topology: "throughput", connections: "8,32,64", unbounded: true };
const sizes = {
  full: { ...usual, rounds: 5, for: "2s", changes: 20, every: "15s" },
  quick: { ...usual, rounds: 1, for: "500ms", changes: 3, every: "4s" },
  smoke: {
    topology: path.join(import.meta.dirname, "smoke.yaml"),
    ...{ connections: "8", unbounded: false, rounds: 1, for: "200ms", changes: 1, every: "2s" },
  },
};

/**
 * One to four replicas carry uploads, each behind a cable of 50 Mbit/s and then behind an unlimited one; then their number
 * changes at random while uploads continue. --rounds is how often each number is measured.
 */
export const run: Benchmark = async ({ form, root, rounds }) => {
  const size = { ...sizes[form], ...(rounds ? { rounds } : {}) };
  const options = Object.entries(size).map(([name, value]) => `--${name}=${value}`);
  const lines = await buildPrograms(root, ["fairlead-bench", "fairlead-agent"], ([bench, agent]) =>
    runLines(bench, ["ecmp-throughput", `--agent=${agent}`, ...options], (line) => {
      for (const { before, replicas, carried } of parseLines(line).followed)
        console.error(`${before} → ${replicas} replicas: ${carried.toFixed(0)} Mbit/s ${"█".repeat(carried / 5)}`);
    }),
  );
  const measured = parseLines(lines.join("\n"));
  return {
    results: judge(measured, { replicas: form === "smoke" ? 2 : 4, rounds: size.rounds, changes: size.changes }),
    limits: explain(measured),
  };
};
