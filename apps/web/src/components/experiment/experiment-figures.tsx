import type { ExperimentDetail, ExperimentSeries } from "@fairlead/domain/experiment";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { Figures, FiguresSkeleton } from "@/components/detail/figures.tsx";
import { Share } from "@/components/detail/share.tsx";
import { Until } from "@/components/ui/time/until.tsx";
import { count } from "@/components/words/numbers.ts";

const labels = ["Replicas routed", "Changes settled", "Settled within", "Broken connections"];

export function ExperimentFiguresSkeleton() {
  return <FiguresSkeleton labels={labels} />;
}

/** Routed replicas, settled changes, settle time, and broken connections. */
export function ExperimentFigures(props: { experiment: ExperimentDetail; series: ExperimentSeries | undefined }) {
  const { experiment, series } = props;
  const { state, replicaCount, drained, changeCount, settledCount, settleMsP50, settleMsP99, slowestMs } = experiment;
  const { brokenConnections: broken } = experiment;
  const isRunning = state === "running";
  const routed = series?.routed.at(-1)?.replicaCount;
  return (
    <Figures
      figures={[
        {
          label: isRunning ? "Replicas routed" : "Replicas",
          value: isRunning ? routed === undefined ? "–" : <Share part={routed} total={replicaCount} /> : replicaCount,
          note: isRunning ? `${replicaCount - drained.length} desired` : "all restored",
        },
        {
          label: "Changes settled",
          value: <Share part={settledCount} total={changeCount} />,
          note: isRunning ? <Until at={experiment.endsAt} past="about to end" /> : null,
          tone: changeCount - settledCount > (isRunning ? 1 : 0) ? "warn" : undefined,
        },
        {
          label: "Settled within",
          value: formatQuantity(settleMsP50, "ms"),
          note:
            slowestMs === null
              ? "none settled yet"
              : `median; p99 ${formatQuantity(settleMsP99, "ms")}, slowest ${formatQuantity(slowestMs, "ms")}`,
        },
        {
          label: "Broken connections",
          value: broken === null ? "–" : count(broken),
          note: broken === null ? "no client has reported yet" : "as counted by clients",
          tone: broken ? "bad" : undefined,
        },
      ]}
    />
  );
}
