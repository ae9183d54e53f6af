import { type Result, result, wasMeasured } from "../result.ts";
import type { Home, Renamed } from "./measured.ts";

const subject = "ticket keys changed";
const least = 99.9;
/** A probe takes some connections, and is up to a tenth of the interval late. */
const probeSeconds = 5;

/** judgeNames compares the returns after the probe that saw the new keys with their bar. */
export function judgeNames(renamed: Renamed[], returns: number): Result[] {
  if (returns === 0) return [];
  return [
    wasMeasured(subject, renamed.length),
    ...renamed.flatMap(({ every, learned, before, between, after, broken }) => [
      result(subject, "seconds between probes of a server", "s", [every]),
      result(subject, "until all new names were learned", "s", [learned], {
        at: "max",
        op: "<=",
        value: Number((1.1 * every + probeSeconds).toFixed(1)),
      }),
      ...share("before the change", before),
      ...share("until the new names were learned", between),
      ...share("after the new names were learned", after, returns),
      result(subject, "requests broken, also by the servers' reload", "failures", [broken]),
    ]),
  ];
}

function share(when: string, { returns, resumed, sameBackend }: Home, required?: number): Result[] {
  const enough = required === undefined ? undefined : ({ at: "low", op: ">=", value: required } as const);
  const home = required === undefined ? undefined : ({ at: "low", op: ">=", value: least } as const);
  return [
    result(subject, `returns ${when}`, "returns", [returns], enough),
    ...(returns > 0
      ? [
          result(subject, `returns that resumed ${when}`, "%", [(100 * resumed) / returns]),
          result(subject, `returns at their backend ${when}`, "%", [(100 * sameBackend) / returns], home),
        ]
      : []),
  ];
}
