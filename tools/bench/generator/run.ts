import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { explain, judge, parseLines } from "./judge.ts";

const sizes = {
  full: { rounds: 5, seconds: 10, steps: 20 },
  quick: { rounds: 1, seconds: 5, steps: 20 },
  smoke: { rounds: 1, seconds: 0.5, steps: 1 },
};

/**
 * The limits of `fairlead-bench load`: the rate that it reaches, how late it sends at half of that, and what it shows of a
 * server that stalls, next to a closed-loop client.
 */
export const run: Benchmark = async ({ form, root, rounds: wanted }) => {
  const { seconds, steps, ...size } = sizes[form];
  const rounds = wanted ?? size.rounds;
  const lines = await buildPrograms(root, ["fairlead-bench"], ([bench]) =>
    runLines(bench, ["generator", `--rounds=${rounds}`, `--seconds=${seconds}`, `--steps=${steps}`], (line) => {
      const [step] = parseLines(line).steps;
      if (step)
        console.error(
          `${step.kind}, ${step.rate.toFixed(0)} requests/s: ${step.sentPerSecond.toFixed(0)} sent, ${step.latenessP99Ms.toFixed(3)} ms late`,
        );
    }),
  );
  const measured = parseLines(lines.join("\n"));
  return { results: judge(measured, rounds), limits: explain(measured) };
};
