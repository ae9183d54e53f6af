"use client";
import type { Experiment } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "@/components/frame/session.tsx";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** Ends an experiment before its time, for those who may. */
export function StopExperiment({ experiment }: { experiment: Experiment }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const may = useMay("cluster:write");
  const stop = useMutation(
    trpc.experiment.stop.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.experiment.pathKey() }),
    }),
  );
  if (!may || experiment.state !== "running") return null;
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Stop
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Stop the experiment?"
        consequence="All replicas are taken back at once, and no other change follows. What was measured stays. It can’t go on later."
        action="Stop it"
        onConfirm={() => stop.mutateAsync({ id: experiment.id })}
      />
    </>
  );
}
