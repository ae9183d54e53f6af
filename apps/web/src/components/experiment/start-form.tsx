"use client";
import { startExperiment } from "@fairlead/domain/experiment";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type ComponentProps, useState } from "react";
import { ClusterSelect } from "@/components/ui/form/cluster-select.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { draftAtFirst, readDraft, type StartDraft } from "./start-draft.ts";

const paths = ["clusterId", "changeEverySeconds", "durationSeconds", "fewestReplicas", "seed"];

/** The settings of an experiment: the cluster, the interval and the duration. */
export function StartForm({ clusterId, onCancel }: { clusterId: string | null; onCancel: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(() => draftAtFirst(clusterId));
  const errors = useFormErrors(paths);
  const start = useMutation(
    trpc.experiment.start.mutationOptions({
      onSuccess: ({ id }) => {
        void queryClient.invalidateQueries(trpc.experiment.pathFilter());
        router.push(`/experiments/${id}`);
      },
      onError: errors.fail,
    }),
  );
  const text = (field: keyof StartDraft): ComponentProps<"input"> => ({
    inputMode: "decimal",
    autoComplete: "off",
    value: draft[field],
    onChange: ({ target }) => setDraft({ ...draft, [field]: target.value }),
  });

  function submit() {
    const read = readDraft(draft);
    if ("problems" in read) return errors.set(read.problems);
    const spec = errors.check(startExperiment, read.spec);
    if (spec) start.mutate(spec);
  }

  return (
    <Form failures={errors.failures} className="flex flex-col gap-4" onSubmit={submit}>
      <Field
        label="Cluster"
        docs={null}
        required
        error={errors.of("clusterId")}
        hint="Its routers must report their kernel routes: agents with the role router."
      >
        {(control) => (
          <ClusterSelect
            control={control}
            value={draft.clusterId}
            onChange={(chosen) => setDraft((before) => ({ ...before, clusterId: chosen }))}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Change interval, seconds"
          docs="experimentSettings"
          required
          error={errors.of("changeEverySeconds")}
          hint="2 to 3600."
        >
          {(control) => <Input {...control} {...text("changeEvery")} />}
        </Field>
        <Field
          label="Duration, minutes"
          docs="experimentSettings"
          required
          error={errors.of("durationSeconds")}
          hint="Up to 1200 (20 hours)."
        >
          {(control) => <Input {...control} {...text("lasts")} />}
        </Field>
        <Field
          label="Minimum replicas"
          docs="experimentSettings"
          required
          error={errors.of("fewestReplicas")}
          hint="This many replicas are never drained."
        >
          {(control) => <Input {...control} {...text("fewest")} />}
        </Field>
        <Field
          label="Seed"
          docs="experimentSettings"
          error={errors.of("seed")}
          hint="The same seed repeats the same changes."
        >
          {(control) => <Input {...control} {...text("seed")} placeholder="any" />}
        </Field>
      </div>
      <FormFoot
        problem={errors.general}
        action="Start experiment"
        busy={start.isPending || start.isSuccess}
        onCancel={onCancel}
      />
    </Form>
  );
}
