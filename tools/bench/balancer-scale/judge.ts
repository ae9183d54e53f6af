import type { Applied, Measured, Turn } from "../datapath/compare.ts";
import { type Result, result, wasMeasured } from "../result.ts";

const names: Record<Applied["what"], string> = {
  grows: "from 1 service to 1 000 with 10 000 backends",
  changes: "one of 10 000 backends goes down",
  shrinks: "back to 1 service",
};

/** What the engine that `auto` picks has to reach; others are told beside it. */
const held = "tcx direct";

/** judge holds what was applied against its bars. */
export function judge({ applied, turns }: Pick<Measured, "applied" | "turns">): Result[] {
  const grown = applied.filter((each) => each.subject === held && each.what === "grows" && !each.loaded);
  const loads = new Set(turns.filter((each) => each.subject === held).map((each) => each.workload));
  return [
    wasMeasured(`${held}, alone`, grown.length),
    wasMeasured(`${held}, under load`, loads.size, 2),
    ...[...Map.groupBy(applied, (each) => `${each.subject}|${each.what}|${each.loaded}`).values()].flatMap(times),
    ...[...Map.groupBy(applied, (each) => each.subject).values()].flatMap(memory),
    ...turns.map(losses),
  ];
}

function times(own: Applied[]): Result[] {
  const [first] = own;
  if (!first) return [];
  const { subject, what, loaded } = first;
  const metric = `${names[what]}${loaded ? ", under load" : ""}`;
  const seconds = own.map((each) => each.seconds);
  const isHeld = subject === held && what === "grows" && !loaded;
  return [result(subject, metric, "s", seconds, isHeld ? { at: "median", op: "<=", value: 1 } : undefined)];
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

/** No engine may lose anything: what came late came. */
function losses({ subject, workload, failed, lost }: Turn): Result {
  const [metric, value] =
    workload === "udp"
      ? ["datagrams lost while applying again and again", lost + failed]
      : ["requests failed while applying again and again", failed];
  return result(subject, metric, "failures", [value], { at: "max", op: "==", value: 0 });
}
