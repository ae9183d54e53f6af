import { provideKubernetes, provideNodes } from "../../kubernetes/provide.ts";
import { parseLines, perSecond } from "../adaptive/measured.ts";
import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { withCluster } from "./cluster.ts";
import { explain, judge, stressed } from "./judge.ts";

const sizes = {
  full: { rounds: 14, for: "3s", warmup: "1s", scenarios: "" },
  quick: { rounds: 3, for: "2s", warmup: "1s", scenarios: "" },
  smoke: { rounds: 1, for: "1s", warmup: "500ms", scenarios: stressed[0] },
} as const;

/**
 * The strategy `adaptive` next to kube-proxy, with real kubelets: four nodes with a delay between them, with servers and clients in
 * pods. FAIRLEAD_BENCH_SCENARIOS (semicolon-separated names) selects scenarios, and --rounds is the number of rounds.
 */
export const run: Benchmark = async ({ form, root, rounds: wanted }) => {
  const size = sizes[form];
  const rounds = wanted ?? size.rounds;
  const { FAIRLEAD_BENCH_SCENARIOS: scenarios = size.scenarios } = process.env;
  process.env.FAIRLEAD_KUBERNETES_BIN = await provideKubernetes();
  process.env.FAIRLEAD_KUBERNETES_NODES_BIN = await provideNodes();
  const measured = await buildPrograms(root, ["fairlead-bench"], ([bench]) =>
    withCluster(bench, async ({ conductor, services, pods, roundTripsMs }) => {
      const args = [
        ...["adaptive-pods", `--listen=${conductor}`, `--pods=${pods}`, `--scenarios=${scenarios}`],
        ...[`--rounds=${rounds}`, `--for=${size.for}`, `--warmup=${size.warmup}`],
        ...Object.entries(services).map(([subject, address]) => `--${subject}=${address}`),
      ];
      const { turns } = parseLines((await runLines(bench, args, report)).join("\n"));
      return { turns, roundTripsMs };
    }),
  );
  const only = scenarios ? { scenarios: scenarios.split(";") } : {};
  const results = judge(measured, { rounds, countsVoid: form === "smoke", ...only });
  return { results, limits: explain(measured) };
};

function report(line: string): void {
  for (const turn of parseLines(line).turns)
    console.error(
      `round ${turn.round + 1}, ${turn.scenario}, ${turn.subject}: ${perSecond(turn).toFixed(0)}/s, p99 ${turn.p99Ms.toFixed(1)} ms, CPU of workers ${(turn.workers ?? []).map((each) => `${(100 * each).toFixed(0)} %`).join(", ")}${turn.void.length > 0 ? ", void" : ""}`,
    );
}
