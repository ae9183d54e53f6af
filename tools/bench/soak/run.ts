import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { explain, judge, type Soaked } from "./judge.ts";

const sizes = { full: ["--for=30m"], quick: ["--for=2m"], smoke: ["--smoke"] };

/**
 * A BGP lab in which pods, balancers, speakers, reflectors and a router's daemon are restarted, nodes drained and cables cut.
 * After each round its router must have the routes to all serving replicas and no others; at the end nothing may have
 * grown since the start. FAIRLEAD_BENCH_FOR is the duration, for example "2h".
 */
export const run: Benchmark = async ({ form, root }) => {
  const { FAIRLEAD_BENCH_FOR: time } = process.env;
  const [line] = await buildPrograms(root, ["fairlead-bench", "fairlead-agent"], ([bench, agent]) =>
    runLines(bench, ["soak", `--agent=${agent}`, ...(time ? [`--for=${time}`] : sizes[form])], () => {}),
  );
  const soaked = JSON.parse(line ?? "") as Soaked;
  return { results: judge(soaked), limits: explain(soaked) };
};
