"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type PauseAction, PauseEffect } from "@/components/exposure/pause/pause-effect.tsx";
import { PickedNames } from "@/components/table/picked-names.tsx";
import { type BulkResult, useBulk } from "@/components/table/use-bulk.ts";
import type { Picked } from "@/components/table/use-selection.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { Dialog, DialogClose } from "@/components/ui/overlay/dialog.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";

const words = {
  pause: {
    verb: "Pause",
    label: "Exposures to pause",
    done: (count: number) => `Paused ${countOf(count, "exposure")}.`,
  },
  resume: {
    verb: "Resume",
    label: "Exposures to resume",
    done: (count: number) => `Resumed ${countOf(count, "exposure")}.`,
  },
};

type Props = { exposures: Picked[] | null; action: PauseAction; onClose: () => void; onDone: () => void };

/** Pauses or resumes the selected exposures. If some fail, it stays open and shows the result of each. */
export function PauseExposures({ exposures, action, onClose, onDone }: Props) {
  const what = countOf(exposures?.length ?? 0, "exposure");
  return (
    <Dialog
      open={exposures !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`${words[action].verb} ${what}?`}
    >
      {exposures ? <PauseBody exposures={exposures} action={action} onClose={onClose} onDone={onDone} /> : null}
    </Dialog>
  );
}

function PauseBody({ exposures, action, onClose, onDone }: Props & { exposures: Picked[] }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const pause = useMutation(trpc.exposure.pause.mutationOptions());
  const resume = useMutation(trpc.exposure.resume.mutationOptions());
  const { verb, label, done } = words[action];
  const { results, run } = useBulk({ done });
  const change = action === "pause" ? pause : resume;
  const apply = useMutation({
    mutationFn: () => run(exposures, ({ id }) => change.mutateAsync({ id })),
    onSuccess(failedCount) {
      if (failedCount > 0) return;
      onDone();
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries(trpc.exposure.pathFilter()),
  });
  const hasFailed = [...results.values()].some(({ isDone }) => !isDone);
  return (
    <div className="flex flex-col gap-4 text-sm">
      <PickedNames
        label={label}
        rows={exposures}
        resultOf={({ id }) => <Result of={results.get(id)} action={action} />}
      />
      <div className="flex flex-col gap-2">
        <PauseEffect action={action} count={exposures.length} />
      </div>
      <div className="flex justify-end gap-2">
        <DialogClose asChild>
          <Button>{hasFailed ? "Close" : "Cancel"}</Button>
        </DialogClose>
        <Button variant="primary" busy={apply.isPending} onClick={() => apply.mutate()}>
          {hasFailed ? "Try again" : `${verb} ${countOf(exposures.length, "exposure")}`}
        </Button>
      </div>
    </div>
  );
}

function Result({ of: result, action }: { of: BulkResult | undefined; action: PauseAction }) {
  if (!result) return null;
  if (!result.isDone)
    return (
      <span role="alert" className="basis-full text-bad">
        {result.message}
      </span>
    );
  return <StatusBadge status={action === "pause" ? "paused" : { word: "Resumed", shape: "disc", tone: "good" }} />;
}
