"use client";
import type { Page } from "@fairlead/domain";
import type { LoadBalancer } from "@fairlead/domain/load-balancer";
import { exposureLookedAtEveryMs } from "@fairlead/domain/node";
import { useState } from "react";
import type { QueryState } from "@/components/detail/load-error.tsx";
import { type RowsColumn, RowsTable } from "@/components/detail/rows-table.tsx";
import { useMay } from "@/components/frame/session.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { PhaseStatus } from "@/components/ui/status/phase-status.tsx";
import { Age } from "@/components/ui/time/age.tsx";

const firstShown = 10;

const addressColumn: RowsColumn<LoadBalancer> = {
  label: "Address",
  cell: ({ address }) => (address ? <Mono>{address}</Mono> : <span className="text-muted">none yet</span>),
};

/** The balancers of an exposure. */
export function BalancersTable(props: { query: QueryState<Page<LoadBalancer>>; isPerInstance: boolean }) {
  const [all, setAll] = useState(false);
  const mayRead = useMay("map:read");
  const { query, isPerInstance } = props;
  const balancers = query.data?.items;
  const total = query.data?.total ?? 0;
  const rows = all ? balancers : balancers?.slice(0, firstShown);
  return (
    <>
      <RowsTable<LoadBalancer>
        label="Load balancers"
        rows={rows}
        query={query}
        stacks
        rowKey={(balancer) => balancer.id}
        empty={
          isPerInstance
            ? "No load balancers yet. One is created for each instance of the workload, once its cluster is read."
            : "No load balancers left."
        }
        columns={[
          {
            label: "Name",
            cell: (balancer) => (
              <TextLink href={`/load-balancers/${balancer.id}`} className="font-medium">
                {balancer.name}
              </TextLink>
            ),
          },
          {
            label: "State",
            cell: (balancer) => <PhaseStatus phase={balancer.phase} observedAt={balancer.observedAt} />,
          },
          ...(mayRead ? [addressColumn] : []),
          ...(isPerInstance ? [{ label: "Instance", cell: (balancer: LoadBalancer) => balancer.instance ?? "–" }] : []),
          { label: "Replicas", align: "end", cell: (each) => `${each.replicasReady} of ${each.replicasDesired}` },
          { label: "Backends", align: "end", cell: (each) => `${each.backendsUp} of ${each.backendsTotal}` },
          {
            label: "Seen",
            align: "end",
            cell: (balancer) => <Age at={balancer.observedAt} expectedEveryMs={exposureLookedAtEveryMs} />,
          },
        ]}
      />
      {balancers && balancers.length > firstShown ? (
        <div className="flex items-center gap-3 pt-2 text-muted text-sm">
          <Button size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show ${balancers.length - firstShown} more`}
          </Button>
          {total > balancers.length ? `The first ${balancers.length} of ${total}.` : null}
        </div>
      ) : null}
    </>
  );
}
