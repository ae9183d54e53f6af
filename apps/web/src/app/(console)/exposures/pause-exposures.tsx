"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type PauseAction, PauseEffect } from "@/components/exposure/pause/pause-effect.tsx";
import { ResumedSpecs } from "@/components/exposure/pause/resumed-specs.tsx";
import { useResume } from "@/components/exposure/pause/use-resume.ts";
import { type BulkResult, splitFailed } from "@/components/table/bulk-results.ts";
import { PickedNames } from "@/components/table/picked-names.tsx";
import { useBulk } from "@/components/table/use-bulk.ts";
import type { Picked } from "@/components/table/use-selection.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { FormProblem } from "@/components/ui/form/form-foot.tsx";
import { Dialog, DialogClose } from "@/components/ui/overlay/dialog.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";

const wordsOf = {
  pause: {
    verb: "Pause",
    label: "Exposures to pause",
    done: (count: number) => `Paused ${countOf(count, "exposure")}.`,
    failed: "could not be paused",
  },
  resume: {
    verb: "Resume",
    label: "Exposures to resume",
    done: (count: number) => `Resumed ${countOf(count, "exposure")}.`,
    failed: "could not be resumed",
  },
};

type Props = { exposures: Picked[] | null; action: PauseAction; onClose: () => void; onDone: () => void };

/** Pauses or resumes the selected exposures. If some fail, it stays open, shows the failed ones first, and can repeat only these. */
export function PauseExposures({ exposures, action, onClose, onDone }: Props) {
  const what = countOf(exposures?.length ?? 0, "exposure");
  return (
    <Dialog
      open={exposures !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`${wordsOf[action].verb} ${what}?`}
    >
      {exposures ? <PauseBody exposures={exposures} action={action} onClose={onClose} onDone={onDone} /> : null}
    </Dialog>
  );
}

function PauseBody({ exposures, action, onClose, onDone }: Props & { exposures: Picked[] }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const pause = useMutation(trpc.exposure.pause.mutationOptions());
  const resume = useResume();
  const words = wordsOf[action];
  const { results, run } = useBulk({ done: words.done });
  const { failed, others } = splitFailed(exposures, results);
  const apply = useMutation({
    mutationFn: () =>
      run(failed.length > 0 ? failed : exposures, (row) =>
        action === "pause" ? pause.mutateAsync({ id: row.id }) : resume(row),
      ),
    onSuccess(failedCount) {
      if (failedCount > 0) return;
      onDone();
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries(trpc.exposure.pathFilter()),
  });
  // Rows move once all have a result, so that none moves while it is read.
  const hasFailed = failed.length > 0 && !apply.isPending;
  return (
    <div className="flex flex-col gap-4 text-sm">
      <FormProblem
        message={hasFailed ? `${failed.length} of ${countOf(exposures.length, "exposure")} ${words.failed}.` : ""}
      />
      <PickedNames
        // A list that was scrolled starts again at its top, where the failed rows are.
        key={hasFailed ? "failed" : "all"}
        label={words.label}
        rows={hasFailed ? [...failed, ...others] : exposures}
        resultOf={({ id }) => <Result of={results.get(id)} action={action} />}
      />
      <div className="flex flex-col gap-2">
        <PauseEffect action={action} count={exposures.length} />
        {action === "resume" ? <ResumedSpecs exposures={exposures} /> : null}
      </div>
      <div className="flex justify-end gap-2">
        <DialogClose asChild>
          <Button>{hasFailed ? "Close" : "Cancel"}</Button>
        </DialogClose>
        <Button variant="primary" busy={apply.isPending} onClick={() => apply.mutate()}>
          {hasFailed ? "Try again" : `${words.verb} ${countOf(exposures.length, "exposure")}`}
        </Button>
      </div>
    </div>
  );
}

function Result({ of: result, action }: { of: BulkResult | undefined; action: PauseAction }) {
  if (!result) return null;
  if (!result.isDone) return <span className="basis-full text-bad">{result.message}</span>;
  return <StatusBadge status={action === "pause" ? "paused" : { word: "Resumed", shape: "disc", tone: "good" }} />;
}
