import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { explain, judge, type Scaled } from "./judge.ts";

// A p99 needs at least a hundred queries.
const sizes = {
  full: { speakers: 100, prefixes: 1_000, rounds: 3, answers: 300 },
  quick: { speakers: 100, prefixes: 1_000, rounds: 1, answers: 100 },
  smoke: { speakers: 3, prefixes: 10, rounds: 1, answers: 1 },
};

/**
 * Many speakers announce the same prefixes to the Fairlead reflector, which passes them to the Fairlead router. Both are
 * queried for routes meanwhile. Then all speakers are cut off at once.
 */
export const run: Benchmark = async ({ form, root, rounds: wanted }) => {
  const { speakers, prefixes, ...size } = sizes[form];
  const rounds = wanted ?? size.rounds;
  const lines = await buildPrograms(root, ["fairlead-bench", "fairlead-agent"], ([bench, agent]) =>
    runLines(
      bench,
      ["bgp-scale", `--agent=${agent}`, `--speakers=${speakers}`, `--prefixes=${prefixes}`, `--rounds=${rounds}`],
      (line) => {
        const { round, loadSeconds, withdrawSeconds } = JSON.parse(line) as Scaled;
        console.error(`round ${round + 1}: loaded after ${loadSeconds} s, withdrawn after ${withdrawSeconds} s`);
      },
    ),
  );
  const scaled = lines.map((line) => JSON.parse(line) as Scaled);
  return { results: judge(scaled, { ...size, rounds }), limits: explain(scaled) };
};
