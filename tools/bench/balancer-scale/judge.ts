import type { Applied, LoadedTurn, Measured } from "../datapath/measured.ts";
import { type Result, result, wasMeasured } from "../result.ts";

const names: Record<Applied["what"], string> = {
  grows: "from 1 service to 1 000 with 10 000 backends",
  changes: "one of 10 000 backends goes down",
  shrinks: "back to 1 service",
};

/** The engine that `auto` picks. */
const held = "tcx direct";

/** How long a Set may take that finds the machine at rest, in seconds. */
const most: Partial<Record<Applied["what"], number>> = { grows: 1, changes: 0.1 };

/** judge holds what was applied against its bars. */
export function judge({ applied, loaded }: Pick<Measured, "applied" | "loaded">): Result[] {
  const grown = applied.filter((each) => each.subject === held && each.what === "grows" && !each.loaded);
  const loads = new Set(loaded.filter((each) => each.subject === held).map((each) => each.workload));
  return [
    wasMeasured(`${held}, alone`, grown.length),
    wasMeasured(`${held}, under load`, loads.size, 3),
    ...[...Map.groupBy(applied, (each) => `${each.subject}|${each.what}|${each.loaded}`).values()].flatMap(times),
    ...[...Map.groupBy(applied, (each) => each.subject).values()].flatMap(memory),
    ...loaded.flatMap(losses),
    ...loaded.filter((each) => each.workload === "new" && each.subject === held).map(waited),
  ];
}

function times(own: Applied[]): Result[] {
  const [first] = own;
  if (!first) return [];
  const { subject, what, loaded } = first;
  const metric = `${names[what]}${loaded ? ", under load" : ""}`;
  const seconds = own.map((each) => each.seconds);
  const bar = loaded ? undefined : most[what];
  return [result(subject, metric, "s", seconds, bar ? { at: "median", op: "<=", value: bar } : undefined)];
}

function memory(own: Applied[]): Result[] {
  const grown = own.filter((each) => each.what === "grows");
  const [first] = grown;
  if (!first) return [];
  const figure = (metric: string, of: (each: Applied) => number) =>
    result(
      first.subject,
      metric,
      "MiB",
      grown.map((each) => of(each) / 2 ** 20),
    );
  return [
    figure("memory of the process with 10 000 backends", (each) => each.memoryBytes),
    figure("BPF maps with 10 000 backends", (each) => each.kernelBytes),
  ];
}

/**
 * No engine may lose anything: what came late came. A segment that was lost is sent again, and hides in a slow answer.
 * Where two are on their way, the kernel sends the last one again after some milliseconds already, only to hear whether
 * it is lost: of these only those count that were.
 */
function losses(turn: LoadedTurn): Result[] {
  const figure = (metric: string, unit: string, value: number) =>
    result(turn.subject, `${metric} while applying again and again`, unit, [value], { at: "max", op: "==", value: 0 });
  if (turn.workload === "udp") return [figure("datagrams lost", "failures", turn.lost + turn.failed)];
  const what = turn.workload === "new" ? "connections that ask once" : "connections that stay";
  return [
    figure(`${what}: requests failed`, "failures", turn.failed),
    figure(`${what}: first packets sent again`, "failures", turn.resentFirst),
    figure(`${what}: segments lost`, "segments", turn.resent - turn.resentEarly + turn.resentRepaired),
    result(turn.subject, `${what}: segments sent again to ask for them`, "segments", [turn.resentEarly]),
  ];
}

/** Losing none of them means something only if some waited. */
function waited({ subject, held: packets }: LoadedTurn): Result {
  return result(subject, "first packets that waited for a replica", "packets", [packets], {
    at: "low",
    op: ">=",
    value: 1,
  });
}
