"use client";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { removedInstanceWords } from "@/components/words/adaptive.ts";
import type { AdaptiveDraft } from "./adaptive-draft.ts";
import { AdvancedSection } from "./advanced-section.tsx";
import { type Choice, ChoiceRows } from "./choice-rows.tsx";
import { describeAdvancedAdaptive } from "./describe-advanced.ts";
import { HealthCheckFields, healthCheckPaths } from "./health-check-fields.tsx";
import { OutsideDelivery, ReachFields } from "./outside-fields.tsx";
import { PairFields } from "./pair-fields.tsx";
import { PoolField } from "./pool-field.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";

const removedChoices: Choice<AdaptiveDraft["removed"]>[] = [
  { value: "last", ...removedInstanceWords.last },
  { value: "end", ...removedInstanceWords.end },
];
const advancedPaths = [
  ...["strategy.standby", "strategy.endsConnections", "strategy.drainSeconds", "strategy.outside.delivery"],
  ...healthCheckPaths,
];

/** The address of a workload whose connections are distributed by cost, and which instances get them. */
export function AdaptiveFields({ form }: { form: ExposureForm }) {
  const { adaptive } = form.draft;
  const change = (part: Partial<AdaptiveDraft>) => form.change({ adaptive: { ...adaptive, ...part } });
  return (
    <>
      <div className="max-w-md">
        <PoolField form={form} />
      </div>
      <ReachFields form={form} change={change} />
      <AdvancedSection form={form} summary={describeAdvancedAdaptive(form.draft)} paths={advancedPaths}>
        <HealthCheckFields form={form} />
        <OutsideDelivery form={form} change={change} />
        <PairFields
          legend="Standby instances"
          docs="adaptive"
          hint="Instances with all of these labels get connections only while no other instance can serve."
          rows={adaptive.standby}
          fewest={0}
          error={form.error("strategy.standby")}
          onChange={(standby) => change({ standby })}
          onTouch={() => form.touch("strategy.standby")}
        />
        <ChoiceRows
          legend="Connections to removed instances"
          docs="adaptive"
          choices={removedChoices}
          value={adaptive.removed}
          onChange={(removed) => change({ removed })}
          error={form.error("strategy.endsConnections")}
        />
        <Field
          label="Drain time, seconds"
          docs="adaptive"
          hint="How long an instance that is being removed drains. 60 if empty."
          className="max-w-md"
          error={form.error("strategy.drainSeconds")}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              placeholder="60"
              value={adaptive.drainSeconds}
              onChange={(event) => change({ drainSeconds: event.target.value })}
              onBlur={() => form.touch("strategy.drainSeconds")}
            />
          )}
        </Field>
      </AdvancedSection>
    </>
  );
}
