"use client";
import type { NodeDetail } from "@fairlead/domain/node";
import { Crumbs } from "@/components/detail/crumbs.tsx";
import { ObjectError } from "@/components/detail/object-error.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { StatusBadge, StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { useNow, useNowOf } from "@/components/ui/time/now.ts";
import { useLive } from "@/live/live-provider.tsx";
import { currentState, describesMachine, isSilentState, whySilent } from "./current-state.ts";
import { describeDrain } from "./describe-drain.ts";
import { NodeActions } from "./node-actions.tsx";
import { NodeFigures, NodeFiguresSkeleton } from "./node-figures.tsx";
import { NodeTabs } from "./node-tabs.tsx";
import { AgentWarnings, OutOfSync } from "./out-of-sync.tsx";
import { useNode } from "./use-node.ts";

/** One node: its state, its metrics, its machine and its agents. */
export function NodePage({ id }: { id: string }) {
  const query = useNode(id);
  if (query.error && !query.data)
    return (
      <ObjectError
        error={query.error}
        noun="node"
        listHref="/nodes"
        listLabel="See all nodes"
        onRetry={() => void query.refetch()}
      />
    );
  const node = query.data;
  if (!node)
    return (
      <>
        <PageHeader title={<Skeleton className="h-6 w-48" />} sentence={<Skeleton className="w-72" />} />
        <NodeFiguresSkeleton />
      </>
    );
  return <NodeDetails node={node} />;
}

/** While live updates are paused, the page keeps the state as of then, so nodes don't turn silent. */
function NodeHead({ node }: { node: NodeDetail }) {
  const { paused } = useLive();
  const now = useNow();
  const { state, message } = currentState(node, paused ? 0 : now);
  return (
    <PageHeader
      before={
        <Crumbs
          trail={[
            { label: "Nodes", href: "/nodes" },
            { label: node.clusterName, href: `/clusters/${node.clusterId}` },
          ]}
        />
      }
      title={
        <span className="flex flex-wrap items-center gap-x-3">
          {node.name}
          <StatusBadge status={state} className="font-normal text-sm tracking-normal" />
          {node.drainingSince ? (
            <StatusBadge status="draining" className="font-normal text-sm tracking-normal" />
          ) : null}
        </span>
      }
      sentence={<LongText text={message} />}
      actions={<NodeActions node={node} />}
    />
  );
}

function NodeDetails({ node }: { node: NodeDetail }) {
  const { paused } = useLive();
  const state = useNowOf((now) => currentState(node, paused ? 0 : now).state);
  const isSilent = isSilentState(state);
  return (
    <>
      <NodeHead node={node} />
      <NodeProblems node={node} />
      {describesMachine(node) ? <NodeFigures node={node} isSilent={isSilent} /> : null}
      <NodeTabs node={node} isSilent={isSilent} silence={whySilent(node, state)} />
    </>
  );
}

/** What differs from the desired state. Takes no space while nothing does. */
function NodeProblems({ node }: { node: NodeDetail }) {
  return (
    <div className="flex flex-col gap-4 px-4 pb-4 empty:hidden md:px-6">
      <Drain node={node} />
      <OutOfSync node={node} />
      <AgentWarnings node={node} />
    </div>
  );
}

function Drain({ node }: { node: NodeDetail }) {
  const drain = describeDrain(node);
  if (!drain || !node.drainingSince) return null;
  return (
    <p className="flex items-baseline gap-2 text-sm">
      <StatusGlyph shape="arrow" className="translate-y-0.5 text-warn" />
      <span>
        {drain.sentence} Desired state <Age at={node.drainingSince} />.
      </span>
    </p>
  );
}
