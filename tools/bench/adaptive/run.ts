import { createSimulator } from "../../../apps/web/src/server/what-if/create-simulator.ts";
import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { busy3, ours, random, sameNode } from "./bars.ts";
import { explain, judge } from "./judge.ts";
import { parseLines, perSecond } from "./measured.ts";
import { describeTurns, judgePredictions, predictAll } from "./what-if.ts";

const sizes = {
  full: { rounds: 14, for: "3s", warmup: "1s", scenarios: "", subjects: "" },
  quick: { rounds: 3, for: "2s", warmup: "1s", scenarios: "", subjects: "" },
  smoke: {
    ...{ rounds: 1, for: "500ms", warmup: "200ms" },
    scenarios: busy3,
    subjects: [ours, random, sameNode].join(";"),
  },
} as const;

/**
 * The strategy `adaptive` next to others: four nodes with a delay between them. FAIRLEAD_BENCH_SUBJECTS and
 * FAIRLEAD_BENCH_SCENARIOS (semicolon-separated names) select subjects and scenarios, and --rounds is the number of rounds.
 */
export const run: Benchmark = async ({ form, root, rounds: wanted }) => {
  const size = sizes[form];
  const rounds = wanted ?? size.rounds;
  const { FAIRLEAD_BENCH_SUBJECTS: subjects = size.subjects, FAIRLEAD_BENCH_SCENARIOS: scenarios = size.scenarios } =
    process.env;
  const args = [`--rounds=${rounds}`, `--for=${size.for}`, `--warmup=${size.warmup}`];
  const only = [`--scenarios=${scenarios}`, `--subjects=${subjects}`];
  const { measured, predictions } = await buildPrograms(
    root,
    ["fairlead-bench", "fairlead-agent"],
    async ([bench, file]) => {
      const measured = parseLines((await runLines(bench, ["adaptive", ...args, ...only], report)).join("\n"));
      return { measured, predictions: await predictAll(measured, createSimulator({ file, cure: "Build it." })) };
    },
  );
  const least = {
    ...{ rounds, countsVoid: form === "smoke" },
    ...(scenarios ? { scenarios: scenarios.split(";") } : {}),
    ...(subjects ? { subjects: subjects.split(";") } : {}),
  };
  return {
    results: [...judge(measured, least), ...judgePredictions(predictions, least)],
    limits: explain(measured),
  };
};

function report(line: string): void {
  const { turns, whatIfs } = parseLines(line);
  for (const each of whatIfs) console.error(describeTurns(each));
  for (const turn of turns)
    console.error(
      `round ${turn.round + 1}, ${turn.scenario}, ${turn.subject}: ${perSecond(turn).toFixed(0)}/s, p99 ${turn.p99Ms.toFixed(1)} ms${turn.void.length > 0 ? ", void" : ""}`,
    );
}
