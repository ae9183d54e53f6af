import { type Result, required, result, wasMeasured } from "../result.ts";
import { caseOf, type Least, type Returned } from "./measured.ts";

const subject = "clients return";

/** What a case may have none of. */
const faults: { metric: string; of: (each: Returned) => number }[] = [
  { metric: "requests broken", of: (each) => each.broken },
  {
    metric: "returns that didn't resume at their backend, which accepts sessions",
    of: (each) => each.returns - each.sameBackend,
  },
];

/** judgeReturns compares each case with its bars, and adds up the cases of each kind of change and resumption. */
export function judgeReturns(returned: Returned[], least: Pick<Least, "returns" | "cases">): Result[] {
  if (least.cases === 0) return [];
  const whole = returned.filter((each) => each.returns >= least.returns);
  return [
    { ...wasMeasured(subject, whole.length, least.cases), metric: `cases with ${least.returns} returns` },
    ...returned.flatMap((each) =>
      faults.map(({ metric, of }) =>
        required(result(caseOf(each), metric, "failures", [of(each)], { at: "max", op: "==", value: 0 })),
      ),
    ),
    ...sum(returned, "returns, in each case", "returns", (each) => each.returns),
    ...sum(returned, "returns without a session to offer", "returns", (each) => each.unoffered),
    ...elsewhere(returned),
  ];
}

function sum(returned: Returned[], metric: string, unit: string, of: (each: Returned) => number): Result[] {
  return returned.length > 0 ? [result(subject, metric, unit, returned.map(of))] : [];
}

/** elsewhere is about sessions of removed backends. TLS 1.2 ids are in the memory of their server alone. */
function elsewhere(returned: Returned[]): Result[] {
  return [true, false].flatMap((hasTicket) => {
    const own = returned.filter((each) => each.gone > 0 && (each.resumption !== "1.2-id") === hasTicket);
    if (own.length === 0) return [];
    const metric = `returns of a removed backend that resumed at another one, ${hasTicket ? "PSK and ticket" : "id"}`;
    const values = own.map((each) => (100 * each.goneResumed) / each.gone);
    const lost = own.map((each) => each.gone - each.goneResumed);
    return [
      result(subject, metric, "%", values),
      ...(hasTicket
        ? [
            result(subject, "returns of a removed backend that didn't resume", "failures", lost, {
              at: "max",
              op: "==",
              value: 0,
            }),
          ]
        : []),
    ];
  });
}

/** explainReturned describes what went wrong in a case. */
export function explainReturned(each: Returned): string[] {
  const { broken, failures, firstFailure, returns, resumed, sameBackend } = each;
  const ways = Object.entries(failures ?? {}).map(([way, count]) => `${count} × ${way}`);
  return [
    ...(broken > 0
      ? [
          `${caseOf(each)}: ${broken} requests broke: ${ways.join("; ") || "closed while idle, or not sent"}${firstFailure ? `; the first: ${firstFailure}` : ""}`,
        ]
      : []),
    ...(sameBackend < returns
      ? [`${caseOf(each)}: of ${returns} returns ${resumed} resumed, ${sameBackend} of them at their backend`]
      : []),
  ];
}
