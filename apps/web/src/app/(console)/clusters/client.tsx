"use client";
import { type Cluster, clusterKinds } from "@fairlead/domain/cluster";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useMay } from "@/components/frame/session.tsx";
import { ChoiceFilter } from "@/components/table/choice-filter.tsx";
import { ListPage } from "@/components/table/list-page.tsx";
import { PeekTitle } from "@/components/table/peek-title.tsx";
import { useListParams } from "@/components/table/use-list-params.ts";
import { usePageQuery } from "@/components/table/use-page-query.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { EmptyState } from "@/components/ui/layout/empty-state.tsx";
import { clusterKindWords } from "@/components/words/clusters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { ClusterDialog } from "./cluster-dialog.tsx";
import { clusterColumns } from "./columns.tsx";
import { DeleteCluster } from "./delete-cluster.tsx";
import { ClusterPeek } from "./peek.tsx";
import { clusterParams, toClusterInput } from "./search-params.ts";

const kindOptions = clusterKinds.map((word) => ({ word, label: clusterKindWords[word].title }));

export function ClusterList() {
  const trpc = useTRPC();
  const mayWrite = useMay("cluster:write");
  const [params, setParams, onParams] = useListParams(clusterParams);
  const [editing, setEditing] = useState<Cluster | null>(null);
  const [deleting, setDeleting] = useState<Cluster | null>(null);
  const pageQuery = usePageQuery(toClusterInput(params), (page) => trpc.cluster.list.queryOptions(page));
  const create = mayWrite ? (
    <Button variant="primary" onClick={() => setParams({ create: true })}>
      <Plus aria-hidden />
      Create cluster
    </Button>
  ) : undefined;

  return (
    <>
      <ListPage
        title="Clusters"
        sentence="Sets of nodes that share addresses, routing and policy."
        actions={create}
        noun={["cluster", "clusters"]}
        searchLabel="Search clusters by name"
        columns={clusterColumns}
        params={params}
        onParams={onParams}
        refreshEveryMs={15_000}
        pageQuery={pageQuery}
        filters={
          <ChoiceFilter
            label="Kind"
            options={kindOptions}
            chosen={params.kind}
            onChoose={(kind) => setParams({ kind, row: null })}
          />
        }
        isFiltered={params.q !== "" || params.kind !== null}
        onClearFilters={() => setParams({ q: null, kind: null, row: null })}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowHref={({ id }) => `/clusters/${id}`}
        peekKind="Cluster"
        peek={(id, row) => ({
          title: <PeekTitle row={row} query={trpc.cluster.get.queryOptions({ id })} fallback="Cluster" />,
          href: `/clusters/${id}`,
          body: <ClusterPeek id={id} row={row} {...(mayWrite ? { onEdit: setEditing, onDelete: setDeleting } : {})} />,
        })}
        emptyYet={
          <EmptyState title="No clusters" actions={create}>
            A cluster is a set of nodes that share addresses, routing and policy: a Kubernetes cluster, a lab, or plain
            machines. Create a cluster first.
          </EmptyState>
        }
      />
      <ClusterDialog
        open={params.create && mayWrite}
        onClose={() => setParams({ create: null })}
        onSaved={({ id }) => setParams({ create: null, peek: id })}
      />
      <ClusterDialog
        open={editing !== null}
        cluster={editing}
        onClose={() => setEditing(null)}
        onSaved={() => setEditing(null)}
      />
      <DeleteCluster cluster={deleting} onClose={() => setDeleting(null)} onDeleted={() => setParams({ peek: null })} />
    </>
  );
}
