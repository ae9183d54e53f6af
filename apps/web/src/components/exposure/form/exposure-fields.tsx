"use client";
import type { ReactNode } from "react";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { PairFields } from "./pair-fields.tsx";
import { PortFields } from "./port-fields.tsx";
import { StrategyFields } from "./strategy-fields.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";
import { WorkloadFields } from "./workload-fields.tsx";

/** The fields of a spec. The cluster and the strategy differ between creating and editing. */
export function ExposureFields({ form, where, how }: { form: ExposureForm; where: ReactNode; how: ReactNode }) {
  const { draft } = form;
  return (
    <div className="flex flex-col gap-8">
      <Section title="Workload">
        <div className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            {where}
            <Field
              label="Name"
              docs={null}
              hint="Lowercase letters, digits and dashes."
              required
              error={form.error("name")}
            >
              {(control) => (
                <Input
                  {...control}
                  value={draft.name}
                  onChange={(event) => form.change({ name: event.target.value })}
                  onBlur={() => form.touch("name")}
                  autoComplete="off"
                  spellCheck={false}
                />
              )}
            </Field>
          </div>
          <WorkloadFields form={form} />
          <PortFields form={form} />
        </div>
      </Section>
      <Section title="Strategy">
        <div className="flex flex-col gap-4">
          {how}
          <StrategyFields form={form} />
        </div>
      </Section>
      <Section title="Labels" hint="to search by">
        <PairFields
          legend={draft.labels.length === 0 ? "No labels" : "Labels of the exposure"}
          docs="labels"
          error={form.error("labels")}
          rows={draft.labels}
          fewest={0}
          onChange={(labels) => form.change({ labels })}
          onTouch={() => form.touch("labels")}
        />
      </Section>
    </div>
  );
}
