import path from "node:path";
import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { brokenOf, explain, judge, parseLines, subjectOf } from "./judge.ts";

const sizes = {
  full: { topology: "stability", plan: "all", changes: 12, connections: 1000, subjects: "" },
  quick: { topology: "stability", plan: "last", changes: 6, connections: 1000, subjects: "" },
  smoke: {
    topology: path.join(import.meta.dirname, "smoke.yaml"),
    ...{ plan: "drain", changes: 1, connections: 1, subjects: "plain, Fairlead" },
  },
};

/**
 * A middle and the last replica drain, die, are cut off and return while connections and flows continue: with plain and
 * resilient next hops, and with balancers that do and don't share connections. The quick form removes only the last
 * replica, which breaks the most. --rounds is the number of rounds; FAIRLEAD_BENCH_SUBJECTS (semicolon-separated names)
 * selects subjects.
 */
export const run: Benchmark = async ({ form, root, rounds = 1 }) => {
  const size = sizes[form];
  const { FAIRLEAD_BENCH_SUBJECTS: subjects = size.subjects } = process.env;
  const lines = await buildPrograms(root, ["fairlead-bench", "fairlead-agent"], ([bench, agent]) =>
    runLines(
      bench,
      [
        "ecmp-stability",
        `--agent=${agent}`,
        `--topology=${size.topology}`,
        `--rounds=${rounds}`,
        `--plan=${size.plan}`,
        ...(subjects ? [`--subjects=${subjects}`] : []),
      ],
      (line) => {
        for (const each of parseLines(line).changed)
          console.error(
            `${subjectOf(each)}: the ${each.which} replica ${each.kind}: ${each.tcp.moved + each.udp.moved} moved needlessly and ${brokenOf(each)} broke of ${each.tcp.all + each.udp.all}`,
          );
      },
    ),
  );
  const measured = parseLines(lines.join("\n"));
  const wanted = subjects ? subjects.split(";") : ["plain, Fairlead", "resilient, Fairlead"];
  const nextHops = ["plain", "resilient"].filter((each) => wanted.includes(`${each}, Fairlead`));
  const least = { changes: rounds * size.changes, nextHops, connections: size.connections };
  return { results: judge(measured, least), limits: explain(measured) };
};
