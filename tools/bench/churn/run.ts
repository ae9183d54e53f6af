import path from "node:path";
import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { brokenOf, explain, held, judge, parseLines } from "./judge.ts";

const sizes = {
  full: {
    ...{
      topology: "churn",
      rounds: 10,
      otherRounds: 10,
      for: "60s",
      warmup: "5s",
      wait: "10s",
      backends: 8,
      least: 100_000,
    },
    subjects: "",
  },
  quick: {
    ...{
      topology: "churn",
      rounds: 1,
      otherRounds: 1,
      for: "60s",
      warmup: "5s",
      wait: "10s",
      backends: 8,
      least: 100_000,
    },
    subjects: "",
  },
  smoke: {
    topology: path.join(import.meta.dirname, "smoke.yaml"),
    ...{ rounds: 1, otherRounds: 1, for: "5s", warmup: "500ms", wait: "0s", backends: 1, least: 1 },
    subjects: held,
  },
};

/** With loss, all packets pass through a process of the lab, which limits the number of connections. */
const lossy = { topology: "churnsmall", backends: 3, least: 8_000 };

/**
 * Backends change 22 → 30 → 22 and replicas 3 → 4 → 3 → 4 under load, with Fairlead, with peers instead, and in models.
 * FAIRLEAD_BENCH_SUBJECTS (comma-separated names) selects subjects; --rounds is the number of rounds of Fairlead. With
 * --loss, each cable of a node or a client loses that percentage of its packets.
 */
export const run: Benchmark = async ({ form, root, rounds: wanted, loss = 0 }) => {
  const size = { ...sizes[form], ...(loss > 0 ? lossy : {}) };
  const { FAIRLEAD_BENCH_SUBJECTS: subjects = size.subjects } = process.env;
  const rounds = wanted ?? size.rounds;
  const lines = await buildPrograms(root, ["fairlead-bench", "fairlead-agent"], ([bench, agent]) =>
    runLines(
      bench,
      [
        "churn",
        `--agent=${agent}`,
        `--topology=${size.topology}`,
        `--rounds=${rounds}`,
        `--other-rounds=${Math.min(rounds, size.otherRounds)}`,
        `--for=${size.for}`,
        `--warmup=${size.warmup}`,
        `--wait=${size.wait}`,
        `--backends=${size.backends}`,
        `--loss=${loss}`,
        ...(subjects ? [`--subjects=${subjects}`] : []),
      ],
      (line) => {
        const [done] = parseLines(line).churned;
        if (done)
          console.error(`round ${done.round + 1}, ${done.subject}: ${brokenOf(done)} of ${done.connections} broke`);
      },
    ),
  );
  const measured = parseLines(lines.join("\n"));
  const isWanted = !subjects || subjects.split(",").includes(held);
  const least = { rounds: isWanted ? rounds : 0, connections: size.least };
  return { results: judge(measured, least), limits: explain(measured) };
};
