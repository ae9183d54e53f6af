"use client";
import type { ReactNode } from "react";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Section } from "@/components/ui/section.tsx";
import { PairFields } from "./pair-fields.tsx";
import { PortFields } from "./port-fields.tsx";
import { StrategyFields } from "./strategy-fields.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";
import { WorkloadFields } from "./workload-fields.tsx";

/** The fields of a wish, in the order people think of it. Where it is and how differ between creating and changing. */
export function ExposureFields({ form, where, how }: { form: ExposureForm; where: ReactNode; how: ReactNode }) {
  const { draft } = form;
  return (
    <div className="flex flex-col gap-8">
      <Section title="What">
        <div className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            {where}
            <Field label="Name" hint="Lower-case letters, digits and dashes." required error={form.error("name")}>
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
      <Section title="How">
        <div className="flex flex-col gap-4">
          {how}
          <StrategyFields form={form} />
        </div>
      </Section>
      <Section title="Labels" hint="to find it by">
        <PairFields
          legend={draft.labels.length === 0 ? "None yet" : "Labels of the exposure"}
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
