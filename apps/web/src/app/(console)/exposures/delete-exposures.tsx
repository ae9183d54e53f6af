"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { PickedNames } from "@/components/table/picked-names.tsx";
import { useBulk } from "@/components/table/use-bulk.ts";
import type { Picked } from "@/components/table/use-selection.ts";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";

const report = {
  done: (count: number) => `Deleting ${countOf(count, "exposure")}.`,
  failed: (count: number) => `${countOf(count, "exposure")} could not be deleted`,
};

export function DeleteExposures({
  exposures,
  onClose,
  onDeleted,
}: {
  exposures: Picked[] | null;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(trpc.exposure.delete.mutationOptions());
  const { results, run } = useBulk(report);
  const total = exposures?.length ?? 0;
  const finished = exposures?.filter(({ id }) => results.get(id)?.isDone).length ?? 0;
  const what = countOf(total, "exposure");

  async function deleteAll() {
    try {
      await run(exposures ?? [], ({ id }) => remove.mutateAsync({ id }));
    } finally {
      await queryClient.invalidateQueries(trpc.exposure.pathFilter());
    }
    onDeleted();
  }

  return (
    <ConfirmDialog
      open={exposures !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={exposures?.[0] && total === 1 ? `Delete ${exposures[0].name}?` : `Delete ${what}?`}
      typed={total > 1 ? `delete ${total}` : "delete"}
      action={finished > 0 && finished < total ? `Deleting ${finished} of ${total}` : `Delete ${what}`}
      onConfirm={deleteAll}
      consequence={
        <div className="flex flex-col gap-3">
          {total > 1 ? <PickedNames label="Exposures to delete" rows={exposures ?? []} /> : null}
          <p>
            {total === 1 ? "Its load balancers are" : "Their load balancers are"} drained and removed, and{" "}
            {total === 1 ? "its addresses return" : "their addresses return"} to the pool.{" "}
            <strong>Traffic through {total === 1 ? "it" : "them"} stops.</strong> The workloads are not changed.
          </p>
        </div>
      }
    />
  );
}
