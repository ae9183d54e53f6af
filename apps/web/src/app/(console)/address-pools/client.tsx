"use client";
import type { AddressPool } from "@fairlead/domain/address-pool";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useMay } from "@/components/frame/session.tsx";
import { ListPage } from "@/components/table/list-page.tsx";
import { PeekTitle } from "@/components/table/peek-title.tsx";
import { useClusterName } from "@/components/table/use-cluster-name.ts";
import { useListParams } from "@/components/table/use-list-params.ts";
import { usePageQuery } from "@/components/table/use-page-query.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { EmptyState } from "@/components/ui/layout/empty-state.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { poolColumns } from "./columns.tsx";
import { DeletePool } from "./delete-pool.tsx";
import { PoolPeek } from "./peek.tsx";
import { PoolDialog } from "./pool-dialog.tsx";
import { poolParams, toPoolInput } from "./search-params.ts";

export function PoolList() {
  const trpc = useTRPC();
  const mayWrite = useMay("address-pool:write");
  const [params, setParams, onParams] = useListParams(poolParams);
  const clusterName = useClusterName(params.cluster);
  const [editing, setEditing] = useState<AddressPool | null>(null);
  const [cloning, setCloning] = useState<AddressPool | null>(null);
  const [deleting, setDeleting] = useState<AddressPool | null>(null);
  const pageQuery = usePageQuery(toPoolInput(params), (page) => trpc.addressPool.list.queryOptions(page));
  const create = mayWrite ? (
    <Button variant="primary" onClick={() => setParams({ create: true })}>
      <Plus aria-hidden />
      Create address pool
    </Button>
  ) : undefined;

  return (
    <>
      <ListPage
        title="Address pools"
        sentence="The prefixes that virtual addresses come from."
        actions={create}
        noun={["address pool", "address pools"]}
        searchLabel="Search by name, prefix or note"
        columns={poolColumns}
        params={params}
        onParams={onParams}
        pageQuery={pageQuery}
        isFiltered={params.q !== ""}
        onClearFilters={() => setParams({ q: null, row: null })}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        peekKind="Address pool"
        peek={(id, row) => ({
          title: <PeekTitle row={row} query={trpc.addressPool.get.queryOptions({ id })} fallback="Address pool" />,
          body: (
            <PoolPeek
              id={id}
              row={row}
              {...(mayWrite ? { onEdit: setEditing, onClone: setCloning, onDelete: setDeleting } : {})}
            />
          ),
        })}
        emptyYet={
          <EmptyState title={clusterName ? `No address pools in ${clusterName}` : "No address pools"} actions={create}>
            An address pool is a prefix that you own, such as 192.0.2.0/24. Exposures with self-hosted balancers take
            their virtual addresses from it. Create a pool to start.
          </EmptyState>
        }
      />
      <PoolDialog
        open={params.create && mayWrite}
        clusterId={params.cluster}
        onClose={() => setParams({ create: null })}
        onSaved={({ id }) => setParams({ create: null, peek: id })}
      />
      <PoolDialog
        open={editing !== null}
        pool={editing}
        onClose={() => setEditing(null)}
        onSaved={() => setEditing(null)}
      />
      <PoolDialog
        open={cloning !== null}
        original={cloning}
        onClose={() => setCloning(null)}
        onSaved={({ id }) => {
          setCloning(null);
          setParams({ peek: id });
        }}
      />
      <DeletePool pool={deleting} onClose={() => setDeleting(null)} onDeleted={() => setParams({ peek: null })} />
    </>
  );
}
