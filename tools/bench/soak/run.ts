import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { explain, judge, type Soaked } from "./judge.ts";

/**
 * A laboratory whose routing is by BGP lives through pods, balancers, speakers, reflectors and a router's daemon that come
 * and go, drained nodes and cut cables: after each round its router has the routes to those who serve and no others, and
 * at the end there is no more of anything than at the start. FAIRLEAD_BENCH_FOR is for how long, "2h" for instance.
 */
export const run: Benchmark = async ({ quick, root }) => {
  const time = process.env.FAIRLEAD_BENCH_FOR ?? (quick ? "2m" : "30m");
  const [line] = await buildPrograms(root, ["fairlead-bench", "fairlead-agent"], ([bench, agent]) =>
    runLines(bench, ["soak", `--agent=${agent}`, `--for=${time}`], () => {}),
  );
  const soaked = JSON.parse(line ?? "") as Soaked;
  return { results: judge(soaked), limits: explain(soaked) };
};
