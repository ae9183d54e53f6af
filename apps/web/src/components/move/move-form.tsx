"use client";
import type { Exposure } from "@fairlead/domain/exposure";
import { startMove } from "@fairlead/domain/move";
import { skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ClusterSelect } from "@/components/ui/form/cluster-select.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useSettled } from "@/components/ui/use-settled.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { type MoveDraft, moveDraft, readMoveDraft } from "./move-draft.ts";
import { MovePreviewNote } from "./move-preview-note.tsx";

const gates = [
  { field: "backends", path: "gates.minBackendsUp", label: "Backends up", hint: "Minimum in the target." },
  { field: "errors", path: "gates.maxErrorPercent", label: "Dropped packets, %", hint: "Maximum. Empty: no limit." },
  { field: "latency", path: "gates.maxLatencyMsP99", label: "Set-up p99, ms", hint: "Maximum. Empty: no limit." },
  { field: "cpu", path: "gates.maxCpuPercent", label: "CPU of a node, %", hint: "Maximum. Empty: no limit." },
] as const satisfies { field: keyof MoveDraft; path: string; label: string; hint: string }[];
const paths = [
  "clusterId",
  "steps",
  "watchSeconds",
  "workload",
  "workload.name",
  "exposureId",
  ...gates.map((each) => each.path),
];

/** The settings of a move, with a preview of its steps, its cost and what breaks. */
export function MoveForm({ exposure, onDone }: { exposure: Exposure; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(moveDraft);
  const errors = useFormErrors(paths);
  const settled = useSettled(draft);
  const read = readMoveDraft(exposure, settled);
  const parsed = "spec" in read ? startMove.safeParse(read.spec) : null;
  const preview = useQuery({
    ...trpc.move.preview.queryOptions(parsed?.success ? parsed.data : skipToken),
    retry: false,
  });
  const start = useMutation(
    trpc.move.start.mutationOptions({
      async onSuccess({ toClusterName }) {
        notify(`Moving ${exposure.name} to ${toClusterName}.`);
        await queryClient.invalidateQueries({ queryKey: trpc.move.pathKey() });
        onDone();
      },
      onError: errors.fail,
    }),
  );
  const text = (field: keyof MoveDraft) => ({
    inputMode: "decimal" as const,
    autoComplete: "off",
    value: draft[field],
    onChange: ({ target }: { target: { value: string } }) => setDraft({ ...draft, [field]: target.value }),
  });

  function submit() {
    const now = readMoveDraft(exposure, draft);
    if ("problems" in now) return errors.set(now.problems);
    const spec = errors.check(startMove, now.spec);
    if (spec) start.mutate(spec);
  }

  return (
    <Form failures={errors.failures} className="flex flex-col gap-4" onSubmit={submit}>
      <Field label="Target cluster" docs="moveSettings" required error={errors.of("clusterId")}>
        {(control) => (
          <ClusterSelect
            control={control}
            value={draft.clusterId}
            onChange={(clusterId) => setDraft((before) => ({ ...before, clusterId }))}
          />
        )}
      </Field>
      {exposure.workload.kind === "selector" ? null : (
        <Field
          label="Workload name in the target"
          docs="workload"
          error={errors.of("workload.name") ?? errors.of("workload")}
          hint={`Empty: ${exposure.workload.name}, as now.`}
        >
          {(control) => <Input {...control} {...text("workloadName")} inputMode="text" />}
        </Field>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Steps, %" docs={null} required error={errors.of("steps")} hint="Shares of the target, up to 100.">
          {(control) => <Input {...control} {...text("steps")} inputMode="text" />}
        </Field>
        <Field
          label="Watch each step, seconds"
          docs={null}
          required
          error={errors.of("watchSeconds")}
          hint="15 to 86400."
        >
          {(control) => <Input {...control} {...text("watch")} />}
        </Field>
        {gates.map(({ field, path, label, hint }) => (
          <Field key={field} label={label} docs={null} error={errors.of(path)} hint={hint}>
            {(control) => <Input {...control} {...text(field)} />}
          </Field>
        ))}
      </div>
      <MovePreviewNote
        preview={parsed?.success ? preview.data : undefined}
        problem={parsed?.success && preview.error ? problemOf(preview.error).message : null}
      />
      <FormFoot
        problem={errors.general || errors.of("exposureId") || ""}
        action="Start move"
        busy={start.isPending || start.isSuccess}
        onCancel={onDone}
      />
    </Form>
  );
}
