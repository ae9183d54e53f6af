"use client";
import { type Exposure, strategies } from "@fairlead/domain/exposure";
import { useQuery } from "@tanstack/react-query";
import { RecentEvents } from "@/components/event/recent-events.tsx";
import { Facts } from "@/components/table/facts.tsx";
import { PeekMissing } from "@/components/table/peek-missing.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { PhaseAge, PhaseStatus } from "@/components/ui/status/phase-status.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { describePorts, describeTarget } from "@/components/words/ports.ts";
import { useTRPC } from "@/trpc/client.tsx";

export function ExposurePeek({
  id,
  row,
  onDelete,
}: {
  id: string;
  row: Exposure | undefined;
  onDelete: ((name: string) => void) | undefined;
}) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.exposure.get.queryOptions(
      { id },
      {
        placeholderData: () =>
          row && { ...row, replicas: [], backends: [], clusters: [], session: null, adaptive: null },
      },
    ),
  );
  const exposure = query.data;
  if (!exposure) return <PeekMissing error={query.error} />;
  const { addresses } = exposure;
  return (
    <div className="flex flex-col gap-5">
      <div>
        <span className="flex flex-wrap items-center gap-x-3 font-medium text-sm">
          <PhaseStatus phase={exposure.phase} observedAt={exposure.observedAt} />
          {exposure.pausedAt ? <StatusBadge status="paused" /> : null}
        </span>
        {exposure.message ? (
          <p className="mt-1 text-sm">
            <LongText text={exposure.message} />
          </p>
        ) : null}
        <p className="mt-1 text-muted text-xs">
          {exposure.observedAt ? (
            <>
              Last observed <PhaseAge phase={exposure.phase} observedAt={exposure.observedAt} />
            </>
          ) : (
            "Not observed yet"
          )}
          {exposure.generation === exposure.observedGeneration
            ? null
            : exposure.pausedAt
              ? "; an edit is applied when it is resumed"
              : "; a change is pending"}
        </p>
      </div>
      <Facts
        rows={[
          ["Strategy", strategies[exposure.strategy.type].title],
          [
            addresses.length > 1 ? "Addresses" : "Address",
            addresses.length > 0 ? (
              <ul key="addresses">
                {addresses.slice(0, 6).map((address) => (
                  <li key={address}>
                    <Mono>{address}</Mono>
                  </li>
                ))}
                {addresses.length > 6 ? <li className="text-muted">and {addresses.length - 6} more</li> : null}
              </ul>
            ) : (
              "none yet"
            ),
          ],
          ["Ports", describePorts(exposure.ports)],
          ["Workload", describeTarget(exposure.workload)],
          [
            "Cluster",
            <TextLink key="cluster" href={`/clusters/${exposure.clusterId}`}>
              {exposure.clusterName}
            </TextLink>,
          ],
          ["Balancers", String(exposure.loadBalancerCount)],
          ["Created", <Age key="created" at={exposure.createdAt} />],
          ["ID", <Mono key="id">{exposure.id}</Mono>],
        ]}
      />
      <Conditions exposure={exposure} />
      <RecentEvents subjectId={id} />
      {onDelete && exposure.phase !== "deleting" && !exposure.pausedAt ? (
        <div>
          <Button variant="secondary" size="sm" className="text-bad" onClick={() => onDelete(exposure.name)}>
            Delete…
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** The conditions, without the message that is shown above already. */
export function Conditions({
  exposure: { conditions, message },
}: {
  exposure: Pick<Exposure, "conditions" | "message">;
}) {
  if (conditions.length === 0) return null;
  return (
    <section>
      <h3 className="border-b pb-1 font-medium text-sm">Conditions</h3>
      <ul className="divide-y text-sm">
        {conditions.map((condition) => (
          <li key={condition.type} className="py-1.5">
            <div className="flex justify-between gap-3">
              <span>
                {condition.type}: {condition.status} <span className="text-muted">({condition.reason})</span>
              </span>
              <Age at={condition.changedAt} className="text-muted text-xs" />
            </div>
            {condition.message === message ? null : (
              <p className="text-muted">
                <LongText text={condition.message} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
