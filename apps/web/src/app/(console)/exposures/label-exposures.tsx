"use client";
import { labels } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { PickedNames } from "@/components/table/picked-names.tsx";
import { useBulk } from "@/components/table/use-bulk.ts";
import type { Picked } from "@/components/table/use-selection.ts";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { Input, Textarea } from "@/components/ui/form/input.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { parseLabels } from "@/components/words/parse-labels.ts";
import { useTRPC, useTRPCClient } from "@/trpc/client.tsx";
import { changeLabels, parseNames } from "./change-labels.ts";

const report = {
  done: (count: number) => `Labelled ${countOf(count, "exposure")}.`,
  failed: (count: number) => `${countOf(count, "exposure")} could not be labelled`,
};

type Props = { exposures: Picked[] | null; onClose: () => void; onLabelled: () => void };

/** Sets and removes labels of the selected exposures. Their other labels stay. */
export function LabelExposures({ exposures, onClose, onLabelled }: Props) {
  return (
    <Dialog
      open={exposures !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Label ${countOf(exposures?.length ?? 0, "exposure")}`}
      description="Other labels stay. Traffic is not affected."
    >
      {exposures ? <LabelForm exposures={exposures} onClose={onClose} onLabelled={onLabelled} /> : null}
    </Dialog>
  );
}

function LabelForm({ exposures, onClose, onLabelled }: Props & { exposures: Picked[] }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [added, setAdded] = useState("");
  const [removed, setRemoved] = useState("");
  const errors = useFormErrors(["labels", "remove"]);
  const { run } = useBulk(report);
  const apply = useMutation({
    mutationFn: (change: Parameters<typeof changeLabels>[1]) =>
      run(exposures, async ({ id }) => {
        const { labels: before, generation } = await client.exposure.get.query({ id });
        await client.exposure.update.mutate({
          ...{ id, labels: changeLabels(before, change), expectedGeneration: generation },
        });
      }),
    onSuccess: onLabelled,
    onError: errors.fail,
    onSettled: () => queryClient.invalidateQueries(trpc.exposure.pathFilter()),
  });

  function submit() {
    const parsed = parseLabels(added);
    if ("problem" in parsed) return errors.set({ labels: parsed.problem });
    const checked = labels.safeParse(parsed.labels);
    if (!checked.success) return errors.set({ labels: checked.error.issues[0]?.message ?? "Enter name=value." });
    const change = { set: checked.data, remove: parseNames(removed) };
    if (Object.keys(change.set).length + change.remove.length === 0)
      return errors.set({ labels: "Enter a label to set, or one to remove." });
    apply.mutate(change);
  }

  return (
    <Form failures={errors.failures} className="flex flex-col gap-4" onSubmit={submit}>
      <PickedNames label="Exposures to label" rows={exposures} />
      <Field label="Labels to set" docs="labels" error={errors.of("labels")} hint="One per line, as name=value.">
        {(control) => (
          <Textarea
            {...control}
            autoFocus
            rows={3}
            spellCheck={false}
            className="font-mono text-xs"
            value={added}
            onChange={(event) => setAdded(event.target.value)}
          />
        )}
      </Field>
      <Field label="Labels to remove" docs="labels" error={errors.of("remove")} hint="Names, separated by commas.">
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            value={removed}
            onChange={(event) => setRemoved(event.target.value)}
          />
        )}
      </Field>
      <FormFoot problem={errors.general} action="Label exposures" busy={apply.isPending} onCancel={onClose} />
    </Form>
  );
}
