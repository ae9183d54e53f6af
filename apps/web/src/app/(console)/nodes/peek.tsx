"use client";
import type { Node } from "@fairlead/domain/node";
import { useQuery } from "@tanstack/react-query";
import { RecentEvents } from "@/components/event/recent-events.tsx";
import { Facts } from "@/components/table/facts.tsx";
import { PeekMissing } from "@/components/table/peek-missing.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { classNames } from "@/components/ui/class-names.ts";
import { LongText } from "@/components/ui/long-text.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { NodeStatus } from "@/components/ui/status/node-status.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { useIsStale } from "@/components/ui/status/use-node-state.ts";
import { Age } from "@/components/ui/time/age.tsx";
import { percent } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";

export function NodePeek({
  id,
  row,
  onForget,
}: {
  id: string;
  row: Node | undefined;
  onForget: ((node: { id: string; name: string }) => void) | undefined;
}) {
  const trpc = useTRPC();
  const detail = useQuery(trpc.node.get.queryOptions({ id }));
  const node = row ?? detail.data;
  if (!node) return <PeekMissing error={detail.error} />;
  const { facts, agents = [] } = detail.data ?? {};
  const greyed = (text: string) => <Figure of={node}>{text}</Figure>;
  const ratio = (value: number | null) => (value === null ? null : greyed(percent(value)));
  return (
    <div className="flex flex-col gap-5">
      <div>
        <NodeStatus of={node} className="font-medium text-sm" />
        <p className="mt-1 text-sm">
          <LongText text={node.message} />
        </p>
        {node.drainingSince ? (
          <p className="mt-1 text-sm">
            <StatusBadge status="draining" /> since <Age at={node.drainingSince} />
          </p>
        ) : null}
      </div>
      <Facts
        rows={[
          ["Reported", <Age key="reported" at={node.lastReportAt} expectedEveryMs={node.reportIntervalMs} />],
          ["CPU", ratio(node.cpuUtilizationRatio)],
          ["Memory", ratio(node.memoryUsedRatio)],
          ["Load, 1 min", node.load1 === null ? null : greyed(node.load1.toFixed(2))],
          ["CPUs", facts ? `${facts.cpuCount} × ${facts.cpuModel}` : node.cpuCount],
          ["System", facts ? `${facts.os}, ${facts.arch}` : null],
          ["Kernel", node.kernel],
          [
            "Agent",
            agents.length > 0
              ? agents.map((agent) => `${agent.roles.join(", ")} ${agent.version}`).join("; ")
              : node.agentVersion,
          ],
          [
            "Cluster",
            <TextLink key="cluster" href={`/clusters/${node.clusterId}`}>
              {node.clusterName}
            </TextLink>,
          ],
          ["Added", <Age key="added" at={node.createdAt} />],
          ["ID", <Mono key="id">{node.id}</Mono>],
        ]}
      />
      <RecentEvents subjectId={id} />
      {onForget ? (
        <div>
          <Button size="sm" className="text-bad" onClick={() => onForget({ id, name: node.name })}>
            Remove…
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function Figure({ of, children }: { of: Node; children: string }) {
  return <span className={classNames("tabular", useIsStale(of) && "text-silent")}>{children}</span>;
}
