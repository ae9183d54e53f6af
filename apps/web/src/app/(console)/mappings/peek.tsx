"use client";
import { formatEndpoint } from "@fairlead/domain/address";
import type { AddressMapping } from "@fairlead/domain/address-map";
import { exposureLookedAtEveryMs } from "@fairlead/domain/node";
import { MapChanges } from "@/components/address-map/map-changes.tsx";
import { ReadyBadge } from "@/components/address-map/ready-badge.tsx";
import { InstanceCost } from "@/components/cost/instance-cost.tsx";
import { Facts } from "@/components/table/facts.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Age } from "@/components/ui/time/age.tsx";

export function MappingPeek({ mapping }: { mapping: AddressMapping | undefined }) {
  if (!mapping) return <p className="text-muted text-sm">This mapping is not in the current list.</p>;
  const { exposureId, externalAddress } = mapping;
  return (
    <div className="flex flex-col gap-5">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <ReadyBadge ready={mapping.ready} className="font-medium" />
        <span className="text-muted">
          for <Age at={mapping.since} />
        </span>
      </p>
      <Facts
        rows={[
          ["Internal", <Mono key="in">{formatEndpoint(mapping.internalAddress, mapping.internalPort)}</Mono>],
          [
            "External",
            externalAddress ? (
              <Mono key="out">{formatEndpoint(externalAddress, mapping.externalPort)}</Mono>
            ) : (
              "none yet: its load balancer has no address"
            ),
          ],
          ["Protocol", mapping.protocol.toUpperCase()],
          ["TLS server name", mapping.serverName && <Mono key="name">{mapping.serverName}</Mono>],
          ["Pod", mapping.pod],
          ["Node", mapping.node],
          [
            "Exposure",
            <TextLink key="exposure" href={`/exposures/${exposureId}`}>
              {mapping.exposureName}
            </TextLink>,
          ],
          [
            "Load balancer",
            <TextLink key="balancer" href={`/load-balancers/${mapping.loadBalancerId}`}>
              that leads to it
            </TextLink>,
          ],
          [
            "Cluster",
            <TextLink key="cluster" href={`/clusters/${mapping.clusterId}`}>
              {mapping.clusterName}
            </TextLink>,
          ],
          ["Cost this month", <InstanceCost key="cost" mapping={mapping} />],
          ["Generation", `${mapping.generation}, of the exposure's map`],
          ["Seen", <Age key="seen" at={mapping.observedAt} expectedEveryMs={exposureLookedAtEveryMs} />],
          ["ID", <Mono key="id">{mapping.id}</Mono>],
        ]}
      />
      <section>
        <h3 className="border-b pb-1 font-medium text-sm">Changes of this instance</h3>
        <MapChanges exposureId={exposureId} instance={mapping.instance} />
      </section>
    </div>
  );
}
