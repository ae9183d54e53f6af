"use client";
import { memo } from "react";
import type { DocsTopic } from "@/components/docs/docs-topics.ts";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import type { NumberField } from "./search-params.ts";

export type SetNumber = (field: NumberField, text: string) => void;

/** One number of the profile. It keeps the text as typed; parsing happens elsewhere. */
export const NumberInput = memo(function NumberInput(props: {
  field: NumberField;
  label: string;
  unit?: string;
  hint?: string;
  placeholder?: string;
  required?: boolean;
  /** If the paragraph of its group is not enough. */
  docs?: DocsTopic;
  value: string;
  error: string | undefined;
  onChange: SetNumber;
}) {
  const { field, unit } = props;
  return (
    <Field
      label={unit ? `${props.label}, ${unit}` : props.label}
      docs={props.docs ?? null}
      required={props.required ?? true}
      error={props.error}
      hint={props.hint}
    >
      {(control) => (
        <Input
          {...control}
          name={field}
          inputMode="decimal"
          autoComplete="off"
          className="tabular"
          placeholder={props.placeholder}
          value={props.value}
          onChange={({ target }) => props.onChange(field, target.value)}
        />
      )}
    </Field>
  );
});
