"use client";
import type { AddressPool } from "@fairlead/domain/address-pool";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { capacityOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { NewPool } from "./new-pool.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";

/** The pool of the address. A new one can be created here. */
export function PoolField({ form }: { form: ExposureForm }) {
  const trpc = useTRPC();
  const { clusterId, poolId } = form.draft;
  const [adding, setAdding] = useState(false);
  const query = useQuery(trpc.addressPool.list.queryOptions({ clusterId, limit: 200 }, { enabled: clusterId !== "" }));
  // After a move, an exposure has its address from a pool of another cluster. It keeps it while it is edited.
  const [held] = useState(poolId);
  const own = query.data?.items;
  const isLent = !form.isNew && held !== "" && own !== undefined && !own.some((pool) => pool.id === held);
  const lent = useQuery(trpc.addressPool.get.queryOptions({ id: held }, { enabled: isLent }));
  const pools = isLent ? (lent.data ? [lent.data, ...own] : lent.error ? own : undefined) : own;
  const { change } = form;
  // A pool belongs to one cluster. A pool of another cluster is deselected, and an only pool is selected.
  useEffect(() => {
    if (!pools || pools.some((pool) => pool.id === poolId)) return;
    const only = pools.length === 1 ? pools[0] : undefined;
    if (poolId || only) change({ poolId: only?.id ?? "" });
  }, [pools, poolId, change]);

  if (clusterId === "")
    return (
      <Field label="Address pool" docs="replicas" required error={form.error("strategy.poolId")}>
        {(control) => (
          <Select {...control} disabled>
            <option>Choose a cluster first</option>
          </Select>
        )}
      </Field>
    );
  if (adding || pools?.length === 0)
    return (
      <NewPool
        clusterId={clusterId}
        isFirst={pools?.length === 0}
        onCreated={(pool) => {
          change({ poolId: pool.id });
          setAdding(false);
        }}
        onCancel={() => setAdding(false)}
      />
    );
  return (
    <div className="flex items-start gap-2">
      <Field
        label="Address pool"
        docs="replicas"
        required
        className="min-w-0 flex-1"
        error={query.error ? problemOf(query.error).message : form.error("strategy.poolId")}
      >
        {(control) => (
          <Select
            {...control}
            value={poolId}
            disabled={!pools}
            onChange={(event) => form.change({ poolId: event.target.value })}
            onBlur={() => form.touch("strategy.poolId")}
          >
            <option value="">{pools ? "Choose a pool" : "Loading pools…"}</option>
            {pools?.map((pool) => (
              <option key={pool.id} value={pool.id}>
                {describePool(pool)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <GuardedButton permission="address-pool:write" className="mt-6" onClick={() => setAdding(true)}>
        New pool
      </GuardedButton>
    </div>
  );
}

function describePool(pool: AddressPool): string {
  const free = pool.capacity - pool.allocated;
  return `${pool.name}, ${pool.prefix}, ${free > 0 ? `${capacityOf(free)} free` : "full"}`;
}
