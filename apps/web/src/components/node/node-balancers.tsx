"use client";
import type { NodeBalancer, NodeDetail } from "@fairlead/domain/node";
import { useMemo, useState } from "react";
import { BalancerCharts } from "@/components/charts/balancer/balancer-charts.tsx";
import type { NameOf } from "@/components/charts/balancer/balancer-lines.ts";
import { describeNodeProbes } from "@/components/charts/balancer/describe-probes.ts";
import { useBalancerSeries } from "@/components/charts/data/use-balancer-series.ts";
import { DropsChart, useDrops } from "@/components/charts/node/drops-chart.tsx";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { EngineCell } from "@/components/load-balancer/parts/engine-cell.tsx";
import { LiveStatus } from "@/components/load-balancer/parts/live-status.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { ShowMore } from "@/components/ui/layout/show-more.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import type { StatusLook } from "@/components/ui/status/status.ts";
import { Age } from "@/components/ui/time/age.tsx";
import { count, countOf } from "@/components/words/numbers.ts";

/** The balancer agents of a node: their traffic, drops, engines and load balancers. */
export function NodeBalancers({ node, isSilent }: { node: NodeDetail; isSilent: boolean }) {
  const { balancers } = node;
  const state = useBalancerSeries([node.id]);
  const dropped = useDrops([node.id]);
  const agents = JSON.stringify(balancers.map((each) => each.agentId));
  const nameOf = useMemo((): NameOf => {
    const isOnly = (JSON.parse(agents) as string[]).length < 2;
    return ({ labels }) => (isOnly || !labels.agent ? "this node" : `agent ${labels.agent.slice(-6)}`);
  }, [agents]);
  const hasSpeaker = node.agents.some(({ roles, revokedAt }) => revokedAt === null && roles.includes("speaker"));
  const probes = describeNodeProbes(
    balancers.map(({ engine }) => engine),
    hasSpeaker,
  );
  const isEmpty = state?.answer?.series.length === 0;
  return (
    <Section
      title="Balancer"
      docs="balancerCharts"
      hint={countOf(
        balancers.reduce((sum, each) => sum + each.replicaCount, 0),
        "load balancer",
      )}
    >
      <div className="flex flex-col gap-6">
        {isEmpty ? (
          <p className="text-muted text-sm">No samples in this range. The agent reports them.</p>
        ) : (
          <BalancerCharts
            state={state}
            nameOf={nameOf}
            whole="all agents"
            parts={balancers.length}
            isSilent={isSilent}
            probes={probes}
          >
            <DropsChart state={dropped} isSilent={isSilent} />
          </BalancerCharts>
        )}
        <EnginesTable balancers={balancers} />
        <CarriedTable balancers={balancers} />
      </div>
    </Section>
  );
}

function EnginesTable({ balancers }: { balancers: NodeBalancer[] }) {
  return (
    <RowsTable<NodeBalancer>
      label="Engines"
      rows={balancers}
      stacks
      rowKey={(balancer) => balancer.agentId}
      empty="No engines."
      columns={[
        { label: "Engine", wraps: true, cell: (balancer) => <EngineCell {...balancer} /> },
        { label: "Address", cell: ({ address }) => (address ? <Mono copy="pointer">{address}</Mono> : "") },
        {
          label: "Agent",
          cell: ({ agentId }) => (
            <Mono copy="pointer" className="max-w-28">
              {agentId}
            </Mono>
          ),
        },
        {
          label: "Seen",
          align: "end",
          cell: ({ observedAt, reportIntervalMs }) => <Age at={observedAt} expectedEveryMs={reportIntervalMs} />,
        },
      ]}
    />
  );
}

const carries: StatusLook = { word: "In use", shape: "disc", tone: "good" };
const carriesNot: StatusLook = { word: "Not in use", shape: "half", tone: "warn" };
const firstShown = 10;

export function CarriedTable({ balancers }: { balancers: NodeBalancer[] }) {
  const [all, setAll] = useState(false);
  const rows = balancers.flatMap(({ replicas, observedAt, reportIntervalMs }) =>
    replicas.map((each) => ({ ...each, of: { observedAt, reportIntervalMs } })),
  );
  const total = balancers.reduce((sum, each) => sum + each.replicaCount, 0);
  type Row = (typeof rows)[number];
  return (
    <div>
      <RowsTable<Row>
        label="Load balancers on this node"
        rows={all ? rows : rows.slice(0, firstShown)}
        stacks
        rowKey={(each) => each.loadBalancerId}
        empty="No load balancers on this node. New exposures can place replicas here."
        columns={[
          {
            label: "Load balancer",
            cell: (each) => (
              <TextLink href={`/load-balancers/${each.loadBalancerId}`} className="font-medium">
                {each.loadBalancerName}
              </TextLink>
            ),
          },
          { label: "State", cell: (each) => <LiveStatus status={each.ready ? carries : carriesNot} of={each.of} /> },
          ...(rows.some((each) => each.message)
            ? [{ label: "Reason", wraps: true, cell: (each: Row) => <LongText text={each.message} /> }]
            : []),
          { label: "Live connections", align: "end", cell: (each) => count(each.liveConnections) },
        ]}
      />
      <ShowMore total={rows.length} first={firstShown} all={all} onChange={setAll} />
      {total > rows.length && all ? (
        <p className="pt-2 text-muted text-sm">
          {count(rows.length)} of {count(total)} are shown, those with problems first.
        </p>
      ) : null}
    </div>
  );
}
