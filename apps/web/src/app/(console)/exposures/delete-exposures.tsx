"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { notify } from "@/components/ui/notices.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { inTurn } from "./in-turn.ts";

/** How many deletions run at once: more would only queue in the database. */
const atOnce = 4;

export function DeleteExposures({
  ids,
  onClose,
  onDeleted,
}: {
  ids: string[] | null;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(trpc.exposure.delete.mutationOptions());
  const [done, setDone] = useState(0);
  const total = ids?.length ?? 0;
  const what = countOf(total, "exposure");

  async function deleteAll() {
    setDone(0);
    const { failed, firstError } = await inTurn(ids ?? [], atOnce, async (id) => {
      await remove.mutateAsync({ id });
      setDone((count) => count + 1);
    });
    await queryClient.invalidateQueries(trpc.exposure.pathFilter());
    if (failed === total) throw firstError;
    notify(`${countOf(total - failed, "exposure")} will be taken down.`);
    if (failed > 0)
      notify(`${countOf(failed, "exposure")} could not be deleted: ${problemOf(firstError).message}`, "problem");
    onDeleted();
  }

  return (
    <ConfirmDialog
      open={ids !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Delete ${what}?`}
      typed={total > 1 ? `delete ${total}` : "delete"}
      action={done > 0 && done < total ? `Deleting ${done} of ${total}` : `Delete ${what}`}
      onConfirm={deleteAll}
      consequence={
        <p>
          {total === 1 ? "Its load balancers are" : "Their load balancers are"} drained and removed, and{" "}
          {total === 1 ? "its addresses go" : "their addresses go"} back to the pool.{" "}
          <strong>Traffic through {total === 1 ? "it" : "them"} stops.</strong> The workloads are not touched.
        </p>
      }
    />
  );
}
