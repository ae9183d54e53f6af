"use client";
import { nodeStates } from "@fairlead/domain/node";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useMay } from "@/components/frame/session.tsx";
import { ChoiceFilter } from "@/components/table/choice-filter.tsx";
import { ListPage } from "@/components/table/list-page.tsx";
import { PeekTitle } from "@/components/table/peek-title.tsx";
import { useClusterName } from "@/components/table/use-cluster-name.ts";
import { useListParams } from "@/components/table/use-list-params.ts";
import { usePageQuery } from "@/components/table/use-page-query.ts";
import { type Picked, useSelection } from "@/components/table/use-selection.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { EmptyState } from "@/components/ui/layout/empty-state.tsx";
import { statusLooks } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { AddNode } from "./add-node.tsx";
import { nodeColumns } from "./columns.tsx";
import { DrainNodes } from "./drain-nodes.tsx";
import { NodePeek } from "./peek.tsx";
import { RemoveNode } from "./remove-node.tsx";
import { nodeParams, toNodeInput } from "./search-params.ts";

const stateOptions = nodeStates.map((word) => ({
  word,
  label: statusLooks[word].word,
  look: <StatusBadge status={word} />,
}));

export function NodeList() {
  const trpc = useTRPC();
  const mayWrite = useMay("node:write");
  const [params, setParams, onParams] = useListParams(nodeParams);
  const clusterName = useClusterName(params.cluster);
  const [forgetting, setForgetting] = useState<{ id: string; name: string } | null>(null);
  const input = toNodeInput(params);
  const { sort: _, direction: __, ...narrowed } = input;
  const selection = useSelection(JSON.stringify(narrowed));
  const [draining, setDraining] = useState<{ nodes: Picked[]; ends: boolean } | null>(null);
  const pageQuery = usePageQuery(input, (page) => trpc.node.list.queryOptions(page));
  const add = mayWrite ? (
    <Button variant="primary" onClick={() => setParams({ add: true })}>
      <Plus aria-hidden />
      Add node
    </Button>
  ) : undefined;

  return (
    <>
      <ListPage
        title="Nodes"
        sentence={
          clusterName
            ? `Machines of ${clusterName} and the reports of their agents.`
            : "Machines and the reports of their agents."
        }
        actions={add}
        noun={["node", "nodes"]}
        searchLabel="Search nodes by name"
        columns={nodeColumns}
        params={params}
        onParams={onParams}
        refreshEveryMs={5_000}
        pageQuery={pageQuery}
        filters={
          <ChoiceFilter
            label="State"
            options={stateOptions}
            chosen={params.state}
            onChoose={(state) => setParams({ state, row: null })}
          />
        }
        isFiltered={params.q !== "" || params.state !== null}
        onClearFilters={() => setParams({ q: null, state: null, row: null })}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowHref={({ id }) => `/nodes/${id}`}
        selection={mayWrite ? selection : undefined}
        bulk={
          <>
            <Button size="sm" onClick={() => setDraining({ nodes: selection.picked(), ends: true })}>
              End drain…
            </Button>
            <Button size="sm" onClick={() => setDraining({ nodes: selection.picked(), ends: false })}>
              Drain…
            </Button>
          </>
        }
        peekKind="Node"
        peek={(id, row) => ({
          title: <PeekTitle row={row} query={trpc.node.get.queryOptions({ id })} fallback="Node" />,
          href: `/nodes/${id}`,
          body: <NodePeek id={id} row={row} onForget={mayWrite ? setForgetting : undefined} />,
        })}
        emptyYet={
          <EmptyState title={clusterName ? `No nodes in ${clusterName}` : "No nodes"} actions={add}>
            A node is a machine that runs the Fairlead agent. Add a node to get a token and the command to run there.
            The agent only opens outbound connections, so no inbound port is needed.
          </EmptyState>
        }
      />
      <AddNode
        open={params.add && mayWrite}
        clusterId={params.cluster}
        role={params.role}
        onClose={() => setParams({ add: null, role: null })}
      />
      <DrainNodes
        nodes={draining?.nodes ?? null}
        ends={draining?.ends ?? false}
        onClose={() => setDraining(null)}
        onDone={selection.clear}
      />
      <RemoveNode node={forgetting} onClose={() => setForgetting(null)} onForgotten={() => setParams({ peek: null })} />
    </>
  );
}
