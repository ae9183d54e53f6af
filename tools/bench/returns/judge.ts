import { type Result, result, wasMeasured } from "../result.ts";

/** What `fairlead-bench returns` prints, one per line; see the Go package churn. */
export type Returned = {
  round: number;
  subject: string;
  resumption: string;
  replicas: number;
  changes: string;
  broken: number;
  failed: number;
  returns: number;
  keptShare: number;
};

/** The model with bars. */
export const ours = "Fairlead sessions (model)";

/** Tickets that don't name their server reach it only at random. */
const unnamed = "TLS 1.3, unnamed keys";

/** parseLines parses the output. */
export function parseLines(text: string): Returned[] {
  return text.split("\n").flatMap((line) => {
    if (!line) return [];
    const { returned } = JSON.parse(line) as { returned?: Returned };
    if (!returned) throw new Error(`Unknown line in the benchmark's output: ${line}`);
    return [returned];
  });
}

/** judge lists the share of returns at their backend, for each model, resumption, number of replicas and kind of change. */
export function judge(returned: Returned[], rounds: number): Result[] {
  const bySubject = [...Map.groupBy(returned, (each) => each.subject)];
  const mine = returned.filter((each) => each.subject === ours && each.returns > 0);
  return [
    wasMeasured(ours, new Set(mine.map((each) => each.round)).size, rounds),
    ...bySubject.flatMap(([subject, all]) =>
      [...Map.groupBy(all, replayOf)].map(([replay, own]) =>
        result(
          subject,
          replay,
          "%",
          own.map((each) => 100 * each.keptShare),
          subject === ours && own[0]?.resumption !== unnamed ? every : undefined,
        ),
      ),
    ),
    ...bySubject.map(([subject, own]) =>
      result(
        subject,
        "connections that broke or failed in a replay",
        "failures",
        own.map((each) => each.broken + each.failed),
        subject === ours ? none : undefined,
      ),
    ),
  ];
}

const every = { at: "low", op: "==", value: 100 } as const;
const none = { at: "max", op: "==", value: 0 } as const;

function replayOf({ resumption, replicas, changes }: Returned): string {
  const of = `${resumption}, ${replicas} ${replicas === 1 ? "replica" : "replicas"}`;
  return `returns at their backend, ${of}, ${changes === "none" ? "no changes" : `changes of ${changes}`}`;
}
