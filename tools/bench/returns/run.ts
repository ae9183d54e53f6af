import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { caseOf, parseLines as parseCases } from "../session/measured.ts";
import { explainReturned, judgeReturns } from "../session/returns.ts";
import { countCases } from "./count-cases.ts";
import { judge, ours, parseLines } from "./judge.ts";

const compared = `TLS session table,${ours}`;
const minute = { rounds: 1, for: "60s", warmup: "5s", backends: 8 };
const sizes = {
  full: { models: { ...minute, rounds: 3 }, subjects: "", returns: 10_000, cases: "every" },
  quick: { models: minute, subjects: compared, returns: 2_000, cases: "few" },
  smoke: {
    models: { ...minute, for: "2s", warmup: "500ms", backends: 1 },
    subjects: compared,
    returns: 1_100,
    cases: "few",
  },
} as const;

const everyPart = "cases,models";

/**
 * Clients return by their TLS session: to real servers, through real replicas, in each case; and on models of balancers,
 * without packets. --cases FROM-TO runs only these cases, and FAIRLEAD_BENCH_CHANGES=loss,replicas only cases with these changes.
 * FAIRLEAD_BENCH_PARTS=cases or =models measures only that. FAIRLEAD_BENCH_SUBJECTS (comma-separated names) selects models;
 * --rounds is the number of replays.
 */
export const run: Benchmark = async ({ form, root, rounds, cases }) => {
  const size = sizes[form];
  const {
    FAIRLEAD_BENCH_PARTS: parts = cases ? "cases" : everyPart,
    FAIRLEAD_BENCH_SUBJECTS: subjects = size.subjects,
    FAIRLEAD_BENCH_CHANGES: changes = "",
  } = process.env;
  const chosen = parts.split(",");
  const unknown = chosen.filter((part) => !everyPart.split(",").includes(part));
  if (unknown.length > 0) throw new Error(`FAIRLEAD_BENCH_PARTS has ${unknown}: use some of ${everyPart}.`);
  const models = { ...size.models, ...(rounds ? { rounds } : {}) };
  const [real, replayed] = await buildPrograms(root, ["fairlead-bench"], async ([bench]) => {
    const parted = cases ? [`--first=${cases.from}`, `--last=${cases.to}`] : [];
    const list = [...parted, ...(changes ? [`--changes=${changes}`] : [])];
    const returns = ["--rounds=0", "--flood=0", "--names=0s", "--data-rounds=0", `--returns=${size.returns}`];
    return [
      chosen.includes("cases")
        ? await runLines(bench, ["session", ...returns, `--cases=${size.cases}`, ...list], report)
        : [],
      chosen.includes("models")
        ? await runLines(
            bench,
            [
              "returns",
              ...Object.entries(models).map(([name, value]) => `--${name}=${value}`),
              ...(subjects ? [`--subjects=${subjects}`] : []),
            ],
            () => {},
          )
        : [],
    ] as const;
  });
  const { returned, leftOut } = parseCases(real.join("\n"));
  const least = chosen.includes("cases") ? countCases(size.cases, changes ? changes.split(",") : [], cases) : 0;
  const isOurs = !subjects || subjects.split(",").includes(ours);
  return {
    results: [
      ...judgeReturns(returned, { returns: size.returns, cases: least }),
      ...(chosen.includes("models") ? judge(parseLines(replayed.join("\n")), isOurs ? models.rounds : 0) : []),
    ],
    limits: [
      ...returned.flatMap(explainReturned),
      ...leftOut.map(({ subject, reason }) => `${subject} was not measured: ${reason}`),
      ...(chosen.includes("models")
        ? ["models send no packets: messages between agents arrive at once, and none is lost"]
        : []),
    ],
  };
};

function report(line: string): void {
  for (const each of parseCases(line).returned)
    console.error(
      `${caseOf(each)}: ${each.broken} broken, ${each.sameBackend} of ${each.returns} returns at their backend`,
    );
}
