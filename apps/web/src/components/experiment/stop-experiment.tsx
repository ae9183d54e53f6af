"use client";
import type { Experiment } from "@fairlead/domain/experiment";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "@/components/frame/session.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** Stops an experiment early, for users with the permission. */
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
        consequence="All replicas are restored at once, and no further change follows. Results are kept. The experiment can't be resumed."
        action="Stop experiment"
        onConfirm={() => stop.mutateAsync({ id: experiment.id })}
      />
    </>
  );
}
