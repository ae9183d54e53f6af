import type { Applied, LoadedTurn, Measured } from "../datapath/measured.ts";
import { type Result, result, wasMeasured } from "../result.ts";

const names: Record<Applied["what"], string> = {
  grows: "from 1 service to 1 000 with 10 000 backends",
  changes: "one of 10 000 backends goes down",
  shrinks: "back to 1 service",
};

/** The engine that `auto` selects; the bars apply to it. */
const held = "tcx direct";

/** Maximum duration of a Set on an idle machine, in seconds. */
const most: Partial<Record<Applied["what"], number>> = { grows: 0.6, changes: 0.04 };

/** judge compares the measurements with their bars. */
export function judge({ applied, loaded }: Pick<Measured, "applied" | "loaded">): Result[] {
  const grown = applied.filter((each) => each.subject === held && each.what === "grows" && !each.loaded);
  const loads = new Set(loaded.filter((each) => each.subject === held).map((each) => each.workload));
  return [
    wasMeasured(`${held}, alone`, grown.length),
    wasMeasured(`${held}, under load`, loads.size, 3),
    ...[...Map.groupBy(applied, (each) => `${each.subject}|${each.what}|${each.loaded}`).values()].flatMap(times),
    ...[...Map.groupBy(applied, (each) => each.subject).values()].flatMap(memory),
    ...[...Map.groupBy(applied, (each) => each.subject).values()].flatMap(carried),
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

/** Its figures are those of an engine that carries this many flows. */
function carried([first]: Applied[]): Result[] {
  return first && first.flows > 0 ? [result(first.subject, "flows carried meanwhile", "flows", [first.flows])] : [];
}

/**
 * No engine may lose anything; delay is allowed. A lost segment is resent, which looks like a slow
 * reply. If two segments are in flight, the kernel resends the last one after a few milliseconds as
 * a tail loss probe: of these, only segments that were really lost count.
 */
function losses(turn: LoadedTurn): Result[] {
  const figure = (metric: string, unit: string, value: number) =>
    result(turn.subject, `${metric} while applying repeatedly`, unit, [value], { at: "max", op: "==", value: 0 });
  if (turn.workload === "udp") return [figure("datagrams lost", "failures", turn.lost + turn.failed)];
  const what = turn.workload === "new" ? "short connections" : "persistent connections";
  return [
    figure(`${what}: requests failed`, "failures", turn.failed),
    figure(`${what}: first packets resent`, "failures", turn.resentFirst),
    figure(`${what}: segments lost`, "segments", turn.resent - turn.resentEarly + turn.resentRepaired),
    result(turn.subject, `${what}: tail loss probes`, "segments", [turn.resentEarly]),
  ];
}

/** Zero losses prove something only if some packets waited. */
function waited({ subject, held: packets }: LoadedTurn): Result {
  return result(subject, "first packets that waited for a replica", "packets", [packets], {
    at: "low",
    op: ">=",
    value: 1,
  });
}
