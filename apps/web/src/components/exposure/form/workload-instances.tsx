"use client";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { useSettled } from "@/components/ui/use-settled.ts";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { checkWorkload } from "./check-draft.ts";
import type { ExposureForm } from "./use-exposure-form.ts";

const mostShown = 5;

/** What the workload of a form has now: its pods or instances with their readiness, live. */
export function WorkloadInstances({ form: { draft, cluster, error } }: { form: ExposureForm }) {
  const trpc = useTRPC();
  const refetchInterval = useLiveInterval(2_000);
  const settled = useSettled(JSON.stringify(checkWorkload(draft)));
  const workload: ReturnType<typeof checkWorkload> = JSON.parse(settled);
  const isShown = cluster !== undefined && workload !== null && error("clusterId") === undefined;
  const { data } = useQuery({
    ...trpc.cluster.matchInstances.queryOptions(isShown ? { clusterId: cluster.id, workload } : skipToken),
    refetchInterval,
  });
  if (!isShown || !data) return null;
  const noun = cluster.kind === "kubernetes" ? "pod" : "instance";
  const hidden = data.total - Math.min(mostShown, data.items.length);
  return (
    <div className="mt-3 border-t pt-3">
      <h3 className="font-medium">{noun === "pod" ? "Pods now" : "Instances now"}</h3>
      {data.total === 0 ? (
        <p className="mt-1 text-muted">No {noun} matches now. The exposure has no backends until one does.</p>
      ) : (
        <>
          <p className="mt-1 tabular">
            {countOf(data.total, noun)}, {data.readyCount} ready
          </p>
          <ul className="mt-1 flex flex-col gap-0.5">
            {data.items.slice(0, mostShown).map(({ id, name, nodeName, ready }) => (
              <li key={id} className="flex items-baseline gap-2">
                <StatusGlyph
                  shape={ready ? "disc" : "ring"}
                  className={ready ? "translate-y-px text-good" : "translate-y-px text-warn"}
                />
                <span className="min-w-0 flex-1 break-words">
                  {name}
                  {nodeName ? <span className="text-muted"> on {nodeName}</span> : null}
                </span>
                <span className="text-muted">{ready ? "Ready" : "Not ready"}</span>
              </li>
            ))}
          </ul>
          {hidden > 0 ? <p className="mt-1 text-muted">and {hidden} more</p> : null}
        </>
      )}
    </div>
  );
}
