import { parseArgs } from "node:util";

/**
 * The full form measures against the bars. The quick form has the same subjects and bars in fewer rounds. The smoke form
 * has neither: it shows within seconds that a benchmark runs and writes its figures.
 */
export type Form = "full" | "quick" | "smoke";

/** The name "all" is every benchmark. */
export type BenchArguments = { name: string; form: Form; rounds?: number; loss?: number; cases?: Cases };

/** Numbers of the first and the last case to run, from 1. */
export type Cases = { from: number; to: number };

export const all = "all";

/** parseArguments reads the command line. An error describes the fix. */
export function parseArguments(args: string[], known: readonly string[]): BenchArguments | { error: string } {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
  const { values, positionals } = parsed;
  const { quick, smoke } = values;
  const [name = smoke ? all : "", ...more] = positionals;
  if (quick && smoke)
    return {
      error:
        "--quick and --smoke exclude each other: use --quick to measure in fewer rounds, or --smoke to check that the benchmark runs.",
    };
  if (more.length > 0) return { error: `Name one benchmark, not ${positionals.length}: ${positionals.join(", ")}.` };
  if (name === all && !smoke) return { error: "Only --smoke runs all benchmarks: add --smoke, or name one benchmark." };
  if (name !== all && !known.includes(name))
    return {
      error: `${name ? `No benchmark is named ${name}` : "No benchmark is named"}: use one of ${known.join(", ")}.`,
    };
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
    return { error: `--rounds is ${values.rounds}: use a whole number from 1.` };
  const loss = values.loss === undefined ? undefined : Number(values.loss);
  if (loss !== undefined && !(name === "churn" && loss > 0))
    return { error: "--loss is for churn only, in percent above 0, such as churn --loss 1." };
  const cases = values.cases === undefined ? undefined : parseCases(values.cases);
  if (cases === null || (cases && name !== "returns"))
    return { error: "--cases is for returns only, with the first and the last case, such as returns --cases 1-12." };
  if (smoke && cases) return { error: "--smoke always runs the same cases: omit --cases, or omit --smoke." };
  if (smoke && (rounds !== undefined || loss !== undefined))
    return { error: "--smoke always runs one small round: omit --rounds and --loss, or omit --smoke." };
  return {
    name,
    form: smoke ? "smoke" : quick ? "quick" : "full",
    ...(rounds === undefined ? {} : { rounds }),
    ...(loss === undefined ? {} : { loss }),
    ...(cases === undefined ? {} : { cases }),
  };
}

function parseCases(text: string): Cases | null {
  const [, from, to] = /^([1-9]\d{0,3})-([1-9]\d{0,3})$/.exec(text) ?? [];
  return from && to && Number(from) <= Number(to) ? { from: Number(from), to: Number(to) } : null;
}

function parse(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      smoke: { type: "boolean", default: false },
      rounds: { type: "string" },
      loss: { type: "string" },
      cases: { type: "string" },
    },
  });
}
