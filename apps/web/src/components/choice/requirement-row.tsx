"use client";
import { criteria, type RequirementName } from "@fairlead/domain/choice";
import type { ComponentProps } from "react";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import type { FormErrors } from "@/components/ui/form/use-form-errors.ts";
import { fieldOf, importances, type RequirementDraft } from "./draft.ts";

const importanceWords = { ignored: "Ignored", preferred: "Preferred", required: "Required" } as const;

/** The label of each value; null for a requirement without one. */
const valueLabels: Record<RequirementName, string | null> = {
  addressFamily: "Family",
  perInstanceMap: null,
  tlsPersistence: null,
  latencyMsP99: "At most, ms",
  headroomMbps: "At least, Mbit/s",
  headroomConnections: "At least",
  region: "Any of, comma-separated",
  hourlyPrice: "At most, USD",
  availability: "At least, %",
  labels: "Such as tier=gold, comma-separated",
};

type Props = {
  name: RequirementName;
  draft: RequirementDraft;
  errors: FormErrors;
  onChange: (draft: RequirementDraft) => void;
};

/** One requirement: how important it is, its limit, and its weight. */
export function RequirementRow({ name, draft, errors, onChange }: Props) {
  const { title } = criteria[name];
  const isAsked = draft.importance !== "ignored";
  const label = valueLabels[name];
  const path = fieldOf(name);
  return (
    <div className="flex flex-col gap-2 border-b py-3 last:border-b-0">
      <Field label={title} docs={null} required>
        {(control) => (
          <Select
            {...control}
            value={draft.importance}
            onChange={({ target }) => {
              const importance = importances.find((each) => each === target.value) ?? "ignored";
              onChange({ ...draft, importance });
            }}
          >
            {importances.map((each) => (
              <option key={each} value={each}>
                {importanceWords[each]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {isAsked ? (
        <fieldset
          className="grid grid-cols-[minmax(0,1fr)_5rem] items-start gap-3"
          aria-label={`${title}: limit and weight`}
        >
          {label && path ? (
            <Field label={label} docs={null} required error={errors.of(path) ?? errors.within(path)}>
              {(control) =>
                name === "addressFamily" ? (
                  <Select
                    {...control}
                    value={draft.value || "ipv4"}
                    onChange={({ target }) => onChange({ ...draft, value: target.value })}
                  >
                    <option value="ipv4">IPv4</option>
                    <option value="ipv6">IPv6</option>
                  </Select>
                ) : (
                  <ValueInput
                    control={control}
                    value={draft.value}
                    onChange={(value) => onChange({ ...draft, value })}
                  />
                )
              }
            </Field>
          ) : (
            <span />
          )}
          <Field label="Weight" docs={null} required error={errors.of(`requirements.${name}.weight`)}>
            {(control) => (
              <Input
                {...control}
                inputMode="decimal"
                className="tabular"
                value={draft.weight}
                onChange={({ target }) => onChange({ ...draft, weight: target.value })}
              />
            )}
          </Field>
        </fieldset>
      ) : null}
    </div>
  );
}

type ValueProps = { control: ComponentProps<"input">; value: string; onChange: (value: string) => void };

function ValueInput({ control, value, onChange }: ValueProps) {
  return <Input {...control} className="tabular" value={value} onChange={({ target }) => onChange(target.value)} />;
}
