"use client";
import type { AddressPool } from "@fairlead/domain/address-pool";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { HistorySection } from "@/components/spec/history-section.tsx";
import { readPoolSpec } from "@/components/spec/pool-spec.ts";
import { RestoreVersion } from "@/components/spec/restore-version.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** The versions of a pool's note. The rest of a pool never changes. */
export function PoolHistory({ pool }: { pool: AddressPool }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { id } = pool;
  const restore = useMutation(
    trpc.addressPool.update.mutationOptions({
      onSuccess(after) {
        notify(`Restored an earlier version of ${after.name}.`);
        return queryClient.invalidateQueries({ queryKey: trpc.addressPool.pathKey() });
      },
    }),
  );
  return (
    <HistorySection
      subjectId={id}
      hint="versions of the note"
      read={readPoolSpec}
      actions={({ spec }) =>
        spec ? (
          <RestoreVersion
            noun="pool"
            current={readPoolSpec(pool)}
            spec={spec}
            permission="address-pool:write"
            onRestore={() => restore.mutateAsync({ id, ...spec })}
          />
        ) : null
      }
    />
  );
}
