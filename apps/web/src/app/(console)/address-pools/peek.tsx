"use client";
import { type AddressPool, fullPool } from "@fairlead/domain/address-pool";
import { useQuery } from "@tanstack/react-query";
import { RecentEvents } from "@/components/event/recent-events.tsx";
import { poolSpec } from "@/components/spec/pool-spec.ts";
import { SpecDialog } from "@/components/spec/spec-dialog.tsx";
import { Facts } from "@/components/table/facts.tsx";
import { PeekMissing } from "@/components/table/peek-missing.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { capacityOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { PoolUse } from "./columns.tsx";
import { PoolHistory } from "./pool-history.tsx";

export function PoolPeek({
  id,
  row,
  onEdit,
  onClone,
  onDelete,
}: {
  id: string;
  row: AddressPool | undefined;
  onEdit?: (pool: AddressPool) => void;
  onClone?: (pool: AddressPool) => void;
  onDelete?: (pool: AddressPool) => void;
}) {
  const trpc = useTRPC();
  const query = useQuery(trpc.addressPool.get.queryOptions({ id }, { placeholderData: () => row }));
  const pool = query.data;
  if (!pool) return <PeekMissing error={query.error} />;
  const free = pool.capacity - pool.allocated;
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm">
        {free > 0 ? `${capacityOf(free)} addresses are free.` : `The pool is full. ${fullPool}`}
      </p>
      <Facts
        rows={[
          ["Prefix", <Mono key="prefix">{pool.prefix}</Mono>],
          ["In use", <PoolUse key="use" pool={pool} />],
          [
            "Cluster",
            <TextLink key="cluster" href={`/clusters/${pool.clusterId}`}>
              {pool.clusterName}
            </TextLink>,
          ],
          ["Note", pool.note],
          ["Created", <Age key="created" at={pool.createdAt} />],
          ["ID", <Mono key="id">{pool.id}</Mono>],
        ]}
      />
      <RecentEvents subjectId={id} />
      <PoolHistory pool={pool} />
      <div className="flex flex-col items-start gap-1.5">
        <div className="flex flex-wrap gap-2">
          {onEdit && onClone && onDelete ? (
            <>
              <Button size="sm" onClick={() => onEdit(pool)}>
                Edit…
              </Button>
              <Button size="sm" onClick={() => onClone(pool)}>
                Clone…
              </Button>
              <Button size="sm" className="text-bad" disabled={pool.allocated > 0} onClick={() => onDelete(pool)}>
                Delete…
              </Button>
            </>
          ) : null}
          <SpecDialog
            name={pool.name}
            path="/address-pools"
            spec={poolSpec(pool)}
            hint="Change the prefix too: pools of a cluster don't overlap. If it overlaps a pool of another cluster, add allowOverlap: true."
          />
        </div>
        {onDelete && pool.allocated > 0 ? (
          <p className="text-muted text-xs">In use. It can be deleted once all its addresses are released.</p>
        ) : null}
      </div>
    </div>
  );
}
