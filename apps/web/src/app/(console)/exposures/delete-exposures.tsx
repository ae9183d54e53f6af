"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Picked } from "@/components/table/use-selection.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { inTurn } from "./in-turn.ts";

/** How many deletions run at once. More would only queue in the database. */
const atOnce = 4;

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
  const [done, setDone] = useState(0);
  const total = exposures?.length ?? 0;
  const what = countOf(total, "exposure");

  async function deleteAll() {
    setDone(0);
    const { failed, firstError } = await inTurn(exposures ?? [], atOnce, async ({ id }) => {
      await remove.mutateAsync({ id });
      setDone((count) => count + 1);
    });
    await queryClient.invalidateQueries(trpc.exposure.pathFilter());
    if (failed === total) throw firstError;
    notify(`Deleting ${countOf(total - failed, "exposure")}.`);
    if (failed > 0)
      notify(`${countOf(failed, "exposure")} could not be deleted: ${problemOf(firstError).message}`, "problem");
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
      action={done > 0 && done < total ? `Deleting ${done} of ${total}` : `Delete ${what}`}
      onConfirm={deleteAll}
      consequence={
        <>
          {total > 1 ? <Names of={exposures ?? []} /> : null}
          <p>
            {total === 1 ? "Its load balancers are" : "Their load balancers are"} drained and removed, and{" "}
            {total === 1 ? "its addresses return" : "their addresses return"} to the pool.{" "}
            <strong>Traffic through {total === 1 ? "it" : "them"} stops.</strong> The workloads are not changed.
          </p>
        </>
      }
    />
  );
}

/** Lists every name, because a large selection may contain an exposure that was picked by mistake. */
function Names({ of: exposures }: { of: Picked[] }) {
  return (
    <ul
      aria-label="Exposures to delete"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to scroll it
      tabIndex={0}
      className="mb-3 max-h-40 overflow-y-auto rounded-md border bg-surface px-3 py-1.5"
    >
      {exposures.map(({ id, name }) => (
        <li key={id} className="truncate">
          {name}
        </li>
      ))}
    </ul>
  );
}
