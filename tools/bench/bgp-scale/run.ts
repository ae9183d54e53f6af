import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { explain, judge, type Scaled } from "./judge.ts";

const sizes = {
  full: { speakers: 100, prefixes: 1_000, rounds: 3 },
  quick: { speakers: 20, prefixes: 100, rounds: 1, answers: 8 },
};

/**
 * Many speakers offer the same many prefixes to our reflector, which gives all of them to our router; both are asked
 * for routes meanwhile. Then all speakers are cut off at once.
 */
export const run: Benchmark = async ({ quick, root, rounds: wanted }) => {
  const { speakers, prefixes, ...size } = quick ? sizes.quick : sizes.full;
  const rounds = wanted ?? size.rounds;
  const lines = await buildPrograms(root, ["fairlead-bench", "fairlead-agent"], ([bench, agent]) =>
    runLines(
      bench,
      ["bgp-scale", `--agent=${agent}`, `--speakers=${speakers}`, `--prefixes=${prefixes}`, `--rounds=${rounds}`],
      (line) => {
        const { round, loadSeconds, withdrawSeconds } = JSON.parse(line) as Scaled;
        console.error(`round ${round + 1}: there after ${loadSeconds} s, gone after ${withdrawSeconds} s`);
      },
    ),
  );
  const scaled = lines.map((line) => JSON.parse(line) as Scaled);
  return { results: judge(scaled, { ...size, rounds }), limits: explain(scaled) };
};
