import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { judge, ours, parseLines } from "./judge.ts";

const compared = `TLS session table,${ours}`;
const sizes = {
  full: { rounds: 3, for: "60s", warmup: "5s", backends: 8, subjects: "" },
  quick: { rounds: 1, for: "60s", warmup: "5s", backends: 8, subjects: compared },
  smoke: { rounds: 1, for: "2s", warmup: "500ms", backends: 1, subjects: compared },
};

/**
 * Clients return by their TLS session on models of balancers, without packets. FAIRLEAD_BENCH_SUBJECTS (comma-separated names)
 * selects models; --rounds is the number of replays.
 */
export const run: Benchmark = async ({ form, root, rounds: wanted }) => {
  const { subjects: usual, ...size } = { ...sizes[form], ...(wanted ? { rounds: wanted } : {}) };
  const { FAIRLEAD_BENCH_SUBJECTS: subjects = usual } = process.env;
  const options = Object.entries(size).map(([name, value]) => `--${name}=${value}`);
  const lines = await buildPrograms(root, ["fairlead-bench"], ([bench]) =>
    runLines(bench, ["returns", ...options, ...(subjects ? [`--subjects=${subjects}`] : [])], () => {}),
  );
  const isOurs = !subjects || subjects.split(",").includes(ours);
  return {
    results: judge(parseLines(lines.join("\n")), isOurs ? size.rounds : 0),
    limits: ["models send no packets: messages between agents arrive at once, and none is lost"],
  };
};
