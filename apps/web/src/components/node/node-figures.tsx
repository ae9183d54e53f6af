"use client";
import type { NodeDetail } from "@fairlead/domain/node";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { useLatest } from "@/components/charts/data/use-latest.ts";
import { type Figure, Figures, FiguresSkeleton } from "@/components/detail/figures.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { countOf } from "@/components/words/numbers.ts";

const labels = ["CPU", "Memory", "Load per core", "Network"];

export function NodeFiguresSkeleton() {
  return <FiguresSkeleton labels={labels} />;
}

/** The load of the machine, with the age of each value. */
export function NodeFigures({ node, isSilent }: { node: NodeDetail; isSilent: boolean }) {
  const traffic = useLatest(node.id, ["interfaceReceiveBps", "interfaceTransmitBps"]);
  const received = traffic?.interfaceReceiveBps;
  const sent = traffic?.interfaceTransmitBps;
  const { cpuCount, cpuUtilizationRatio: cpu, memoryUsedRatio: memory, load1 } = node;
  const perCore = load1 === null || !cpuCount ? null : load1 / cpuCount;
  const age = <Age at={node.lastReportAt} expectedEveryMs={node.reportIntervalMs} />;
  const installed = node.facts?.memoryBytes ?? null;
  const figures: Figure[] = [
    {
      label: "CPU",
      value: formatQuantity(cpu, "ratio"),
      note: (
        <>
          {cpuCount ? `of ${countOf(cpuCount, "core")}, ` : null}
          {age}
        </>
      ),
      tone: toneOf(cpu),
      stale: isSilent,
    },
    {
      label: "Memory",
      value: formatQuantity(memory, "ratio"),
      note: (
        <>
          {installed ? `of ${formatQuantity(installed, "bytes")}, ` : null}
          {age}
        </>
      ),
      tone: toneOf(memory),
      stale: isSilent,
    },
    {
      label: "Load per core",
      value: perCore === null ? "–" : perCore.toFixed(2),
      note: (
        <>
          {load1 === null ? null : `${load1.toFixed(2)} in total, `}
          {age}
        </>
      ),
      tone: perCore !== null && perCore >= 2 ? "bad" : perCore !== null && perCore >= 1 ? "warn" : undefined,
      stale: isSilent,
    },
    {
      label: "Network",
      value: received && sent ? formatQuantity(received.value + sent.value, "bps") : "–",
      note:
        received && sent ? (
          <>
            {formatQuantity(received.value, "bps")} in, {formatQuantity(sent.value, "bps")} out
          </>
        ) : isSilent ? (
          "no samples in the last 2 min"
        ) : null,
      stale: isSilent,
    },
  ];
  return <Figures figures={figures} />;
}

function toneOf(ratio: number | null): "warn" | "bad" | undefined {
  if (ratio === null || ratio < 0.8) return undefined;
  return ratio >= 0.95 ? "bad" : "warn";
}
