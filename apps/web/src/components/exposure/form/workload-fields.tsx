"use client";
import { Combobox } from "@/components/ui/form/combobox.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { exposureDraft } from "./draft.ts";
import { PairFields } from "./pair-fields.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";
import { useWorkloads } from "./use-workloads.ts";

const kinds = [
  ["deployment", "Deployment"],
  ["stateful-set", "StatefulSet"],
  ["daemon-set", "DaemonSet"],
  ["selector", "Pods by label"],
] as const;

/** The workload to expose: one that the cluster has, or any other name. */
export function WorkloadFields({ form }: { form: ExposureForm }) {
  const { draft } = form;
  const bySelector = draft.workloadKind === "selector";
  const { namespaces, suggestions, isMissing } = useWorkloads(form);
  return (
    <div className="flex flex-col gap-4">
      <div className={bySelector ? "grid gap-4 sm:grid-cols-2" : "grid gap-4 sm:grid-cols-[minmax(0,1fr)_9rem_9rem]"}>
        {bySelector ? null : (
          <Field
            label="Workload name"
            docs="workload"
            required
            error={form.error("workload.name")}
            hint={isMissing ? <MissingWorkload /> : undefined}
          >
            {(control) => (
              <Combobox
                control={control}
                value={draft.workloadName}
                options={suggestions}
                listLabel="Workloads of the cluster"
                onType={(workloadName) => form.change({ workloadName })}
                onChoose={({ choice }) => form.change(choice)}
                onBlur={() => form.touch("workload.name")}
              />
            )}
          </Field>
        )}
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
        <Field label="Namespace" docs={null} required error={form.error("workload.namespace")}>
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
      </div>
      <datalist id="namespaces-there">
        {namespaces.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
      {bySelector ? (
        <PairFields
          legend="Pods with all of these labels"
          docs="workload"
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

function MissingWorkload() {
  return (
    <span className="flex gap-1.5 text-ink">
      <StatusGlyph shape="triangle" className="mt-0.5 text-warn" />
      The cluster has no such workload now.
    </span>
  );
}
