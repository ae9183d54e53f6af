import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { brokenOf, elsewhere, explain, held, judge, parseLines } from "./judge.ts";

const sizes = {
  full: { topology: "churn", rounds: 10, otherRounds: 10, for: "60s", warmup: "5s", backends: 8, least: 100_000 },
  quick: { topology: "churnquick", rounds: 1, otherRounds: 1, for: "20s", warmup: "1s", backends: 3, least: 1_000 },
};

/** With loss all packets pass through a process of the laboratory, which has no time for more connections. */
const lossy = { ...sizes.full, topology: sizes.quick.topology, backends: sizes.quick.backends, least: 8_000 };

/**
 * Backends go 22 → 30 → 22 and replicas 3 → 4 → 3 → 4 under load, with ours, with peers in our place, and in models.
 * FAIRLEAD_BENCH_SUBJECTS, names separated by commas, leaves others out; --rounds is how often ours is measured. The
 * short form is of ours alone. With --loss each cable of a node or a client loses so many percent of its packets.
 */
export const run: Benchmark = async ({ quick, root, rounds: wanted, loss = 0 }) => {
  const size = quick ? sizes.quick : loss > 0 ? lossy : sizes.full;
  const { FAIRLEAD_BENCH_SUBJECTS: subjects = quick ? "Fairlead" : "" } = process.env;
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
  return { results: [...judge(measured, least), ...(loss > 0 ? [] : elsewhere)], limits: explain(measured) };
};
