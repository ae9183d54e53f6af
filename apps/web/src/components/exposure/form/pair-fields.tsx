"use client";
import type { DocsTopic } from "@/components/docs/docs-topics.ts";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { emptyPair, type PairRow } from "./pair-rows.ts";
import { RowFields } from "./row-fields.tsx";

/** Labels as rows of name and value. */
export function PairFields(props: {
  legend: string;
  docs: DocsTopic;
  hint?: string;
  error: string | undefined;
  rows: PairRow[];
  fewest: number;
  onChange: (rows: PairRow[]) => void;
  onTouch: () => void;
}) {
  return (
    <RowFields<PairRow>
      legend={props.legend}
      docs={props.docs}
      {...(props.hint ? { hint: props.hint } : {})}
      error={props.error}
      rows={props.rows}
      rowName={(row, index) => (row.name ? `label ${row.name}` : `label ${index + 1}`)}
      fewest={props.fewest}
      most={32}
      addLabel="Add label"
      onChange={props.onChange}
      emptyRow={emptyPair}
    >
      {(row, index, update) => (
        <div className="grid gap-2 md:grid-cols-2">
          <Field label="Name" docs={null} required labelClassName={index > 0 ? "md:sr-only" : undefined}>
            {(control) => (
              <Input
                {...control}
                value={row.name}
                onChange={(event) => update({ name: event.target.value })}
                onBlur={props.onTouch}
                className="font-mono text-xs"
                spellCheck={false}
              />
            )}
          </Field>
          <Field label="Value" docs={null} required labelClassName={index > 0 ? "md:sr-only" : undefined}>
            {(control) => (
              <Input
                {...control}
                value={row.value}
                onChange={(event) => update({ value: event.target.value })}
                onBlur={props.onTouch}
                className="font-mono text-xs"
                spellCheck={false}
              />
            )}
          </Field>
        </div>
      )}
    </RowFields>
  );
}
