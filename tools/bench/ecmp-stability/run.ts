import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { brokenOf, explain, judge, parseLines, subjectOf } from "./judge.ts";

const sizes = {
  full: { topology: "stability", changes: 12, connections: 1000, subjects: "" },
  quick: { topology: "stabilityquick", changes: 3, connections: 200, subjects: "plain, Fairlead" },
};

/**
 * A replica in the middle and the last one drain, die, are cut off and come back, while connections and flows go on: with
 * plain and with resilient next hops, ours and such as know nothing of each other's connections. The short form has the
 * hardest: plain next hops, and the last replica. --rounds is how often; FAIRLEAD_BENCH_SUBJECTS, names separated by
 * semicolons, leaves others out.
 */
export const run: Benchmark = async ({ quick, root, rounds = 1 }) => {
  const size = quick ? sizes.quick : sizes.full;
  const { FAIRLEAD_BENCH_SUBJECTS: subjects = size.subjects } = process.env;
  const lines = await buildPrograms(root, ["fairlead-bench", "fairlead-agent"], ([bench, agent]) =>
    runLines(
      bench,
      [
        "ecmp-stability",
        `--agent=${agent}`,
        `--topology=${size.topology}`,
        `--rounds=${rounds}`,
        ...(quick ? ["--few"] : []),
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
