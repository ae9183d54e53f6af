"use client";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { exposureDraft } from "./draft.ts";
import { PairFields } from "./pair-fields.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";
import { useWorkloadNames } from "./use-workload-names.ts";

const kinds = [
  ["deployment", "Deployment"],
  ["stateful-set", "StatefulSet"],
  ["daemon-set", "DaemonSet"],
  ["selector", "Pods by label"],
] as const;

/** The workload to expose. */
export function WorkloadFields({ form }: { form: ExposureForm }) {
  const { draft } = form;
  const bySelector = draft.workloadKind === "selector";
  const { namespaces, names } = useWorkloadNames(draft);
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Kind" docs="workload" required>
          {(control) => (
            <Select
              {...control}
              value={draft.workloadKind}
              onChange={(event) =>
                form.change({ workloadKind: exposureDraft.shape.workloadKind.parse(event.target.value) })
              }
            >
              {kinds.map(([value, title]) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Namespace" required error={form.error("workload.namespace")}>
          {(control) => (
            <Input
              {...control}
              list="namespaces-there"
              value={draft.namespace}
              onChange={(event) => form.change({ namespace: event.target.value })}
              onBlur={() => form.touch("workload.namespace")}
              spellCheck={false}
            />
          )}
        </Field>
        {bySelector ? null : (
          <Field label="Workload name" required error={form.error("workload.name")}>
            {(control) => (
              <Input
                {...control}
                list="workloads-there"
                value={draft.workloadName}
                onChange={(event) => form.change({ workloadName: event.target.value })}
                onBlur={() => form.touch("workload.name")}
                spellCheck={false}
              />
            )}
          </Field>
        )}
      </div>
      <Suggestions id="namespaces-there" values={namespaces} />
      <Suggestions id="workloads-there" values={names} />
      {bySelector ? (
        <PairFields
          legend="Pods with all of these labels"
          error={form.error("workload.selector")}
          rows={draft.selector}
          fewest={1}
          onChange={(selector) => form.change({ selector })}
          onTouch={() => form.touch("workload.selector")}
        />
      ) : null}
    </div>
  );
}

function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
