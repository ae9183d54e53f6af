import type { BenchArguments } from "./arguments.ts";
import type { Environment } from "./environment.ts";
import { type Result, withoutBar } from "./result.ts";

type Measured = { at: Date; commit: string; environment: Environment; results: Result[]; limits: string[] };

/** reportOf returns the name and content of a run's file in .bench. A smoke run has a separate file. */
export function reportOf(
  { name, form, loss, cases }: BenchArguments,
  { at, commit, environment, results, limits }: Measured,
) {
  const isSmoke = form === "smoke";
  return {
    file: `${name}${loss ? "-loss" : ""}${cases ? `-${cases.from}-${cases.to}` : ""}${isSmoke ? "-smoke" : ""}.json`,
    content: {
      name,
      at: at.toISOString(),
      commit,
      ...(isSmoke ? { smoke: true } : {}),
      environment: { ...environment, quick: form === "quick", ...(loss ? { loss } : {}), ...(cases ? { cases } : {}) },
      results: isSmoke ? results.map(withoutBar) : results,
      limits,
    },
  };
}
