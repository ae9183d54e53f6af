"use client";
import { formatEndpoint } from "@fairlead/domain/address";
import { strategies } from "@fairlead/domain/exposure";
import type { LoadBalancer } from "@fairlead/domain/load-balancer";
import { useQuery } from "@tanstack/react-query";
import { NoMap } from "@/components/address-map/no-map.tsx";
import { RecentEvents } from "@/components/event/recent-events.tsx";
import { useMay } from "@/components/frame/session.tsx";
import { Facts } from "@/components/table/facts.tsx";
import { PeekMissing } from "@/components/table/peek-missing.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { PhaseAge, PhaseStatus } from "@/components/ui/status/phase-status.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { describePorts } from "@/components/words/ports.ts";
import { useTRPC } from "@/trpc/client.tsx";

export function LoadBalancerPeek({ id, row }: { id: string; row: LoadBalancer | undefined }) {
  const trpc = useTRPC();
  const detail = useQuery(trpc.loadBalancer.get.queryOptions({ id }));
  const balancer = detail.data ?? row;
  if (!balancer) return <PeekMissing error={detail.error} />;
  const backends = detail.data?.backends ?? [];
  const down = backends.filter(({ health }) => health === "down");
  return (
    <div className="flex flex-col gap-5">
      <div>
        <PhaseStatus phase={balancer.phase} observedAt={balancer.observedAt} className="font-medium text-sm" />
        {balancer.message ? (
          <p className="mt-1 text-sm">
            <LongText text={balancer.message} />
          </p>
        ) : null}
        <p className="mt-1 text-muted text-xs">
          {balancer.observedAt ? (
            <>
              Last observed <PhaseAge phase={balancer.phase} observedAt={balancer.observedAt} />
            </>
          ) : (
            "Not observed yet"
          )}
        </p>
      </div>
      <Facts
        rows={[
          ["Address", <Address key="address" address={balancer.address} />],
          ["Ports", describePorts(balancer.ports)],
          [
            "Replicas",
            balancer.kind === "cloud"
              ? "managed by the provider"
              : `${balancer.replicasReady} of ${balancer.replicasDesired} ready`,
          ],
          ["Backends", `${balancer.backendsUp} of ${balancer.backendsTotal} up`],
          ["Strategy", strategies[balancer.strategy].title],
          ["Instance", balancer.instance],
          [
            "Exposure",
            <TextLink key="exposure" href={`/exposures/${balancer.exposureId}`}>
              {balancer.exposureName}
            </TextLink>,
          ],
          [
            "Cluster",
            <TextLink key="cluster" href={`/clusters/${balancer.clusterId}`}>
              {balancer.clusterName}
            </TextLink>,
          ],
          ["Created", <Age key="created" at={balancer.createdAt} />],
          ["ID", <Mono key="id">{balancer.id}</Mono>],
        ]}
      />
      {down.length > 0 ? (
        <section>
          <h3 className="border-b pb-1 font-medium text-sm">Backends that are down</h3>
          <ul className="divide-y text-sm">
            {down.slice(0, 8).map((backend) => (
              <li key={backend.id} className="flex items-center justify-between gap-3 py-1.5">
                <span className="truncate">{backend.instance}</span>
                {backend.address === null ? null : <Mono>{formatEndpoint(backend.address, backend.port)}</Mono>}
              </li>
            ))}
            {down.length > 8 ? <li className="py-1.5 text-muted">and {down.length - 8} more</li> : null}
          </ul>
        </section>
      ) : null}
      <RecentEvents subjectId={id} />
    </div>
  );
}

function Address({ address }: { address: string | null }) {
  const mayRead = useMay("map:read");
  if (address) return <Mono>{address}</Mono>;
  return mayRead ? "none yet" : <NoMap />;
}
