import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { explain, judge, ours } from "./judge.ts";
import { caseOf, parseLines } from "./measured.ts";

/** Cases are combinations of resumption, family, timestamps, and packets of the hello or a change; see the Go type SessionPlan. */
const countOf = { every: 3 * 2 * 2 * 6, few: 3 * 6, one: 6 };

const sizes = {
  full: { rounds: 9, for: "3s", warmup: "300ms", returns: 10_000, cases: "every", subjects: "" },
  quick: { rounds: 3, for: "1s", warmup: "200ms", returns: 2_000, cases: "few", subjects: "" },
  smoke: { rounds: 1, for: "150ms", warmup: "50ms", returns: 100, cases: "one", subjects: "" },
} as const;

/**
 * A service by TLS session, the plain engine, and HAProxy and nginx in four ways, in front of the same servers. Then clients
 * return by session in each case. FAIRLEAD_BENCH_SUBJECTS (comma-separated names) selects subjects, --rounds is the number
 * of rounds, FAIRLEAD_BENCH_PARTS=speed or =returns measures only that, and FAIRLEAD_BENCH_CHANGES=loss only cases with that change.
 */
export const run: Benchmark = async ({ form, root, rounds: wanted }) => {
  const size = sizes[form];
  const {
    FAIRLEAD_BENCH_SUBJECTS: subjects = size.subjects,
    FAIRLEAD_BENCH_PARTS: parts = "speed,returns",
    FAIRLEAD_BENCH_CHANGES: changes,
  } = process.env;
  const rounds = parts.includes("speed") ? (wanted ?? size.rounds) : 0;
  const returns = parts.includes("returns") ? size.returns : 0;
  const lines = await buildPrograms(root, ["fairlead-bench"], ([bench]) =>
    runLines(
      bench,
      [
        "session",
        `--rounds=${rounds}`,
        `--for=${size.for}`,
        `--warmup=${size.warmup}`,
        `--returns=${returns}`,
        `--cases=${size.cases}`,
        ...(subjects ? [`--subjects=${subjects}`] : []),
        ...(changes ? [`--changes=${changes}`] : []),
      ],
      report,
    ),
  );
  const measured = parseLines(lines.join("\n"));
  const chosen = rounds === 0 ? [] : subjects ? subjects.split(",") : undefined;
  const isOurs = !subjects || subjects.split(",").includes(ours);
  const cases = returns > 0 && isOurs ? (changes ? 1 : countOf[size.cases]) : 0;
  return { results: judge(measured, { rounds, returns, cases }, chosen), limits: explain(measured) };
};

function report(line: string): void {
  const { turns, returned } = parseLines(line);
  for (const { round, subject, workload, requests, seconds } of turns)
    console.error(`round ${round + 1}, ${subject}, ${workload}: ${(requests / seconds).toFixed(0)}/s`);
  for (const each of returned)
    console.error(
      `${caseOf(each)}: ${each.broken} broken, ${each.sameBackend} of ${each.returns} returns at their backend`,
    );
}
