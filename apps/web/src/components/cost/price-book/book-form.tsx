"use client";
import type { ReactNode } from "react";
import type { DocsTopic } from "@/components/docs/docs-topics.ts";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { Input } from "@/components/ui/form/input.tsx";

/** The frame of a price book form: its fields, its errors and its buttons. */
export function BookForm(props: {
  action: string;
  busy: boolean;
  problem: string;
  failures: number;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}) {
  return (
    <Form failures={props.failures} className="flex flex-col gap-4" onSubmit={props.onSubmit}>
      {props.children}
      <FormFoot problem={props.problem} action={props.action} busy={props.busy} onCancel={props.onCancel} />
    </Form>
  );
}

/** A row of fields under a title. */
export function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="pb-1.5 text-muted text-xs">{title}</legend>
      <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-3">{children}</div>
    </fieldset>
  );
}

export function TextField(props: {
  label: string;
  /** The paragraph that explains the field, if its label and hint are not enough. */
  docs?: DocsTopic;
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
  hint?: string;
  placeholder?: string;
  type?: "date";
  isNumber?: boolean;
  optional?: boolean;
  className?: string;
}) {
  return (
    <Field
      label={props.label}
      docs={props.docs ?? null}
      required={!props.optional}
      error={props.error}
      hint={props.hint}
      {...(props.className ? { className: props.className } : {})}
    >
      {(control) => (
        <Input
          {...control}
          type={props.type}
          inputMode={props.isNumber ? "decimal" : undefined}
          autoComplete="off"
          spellCheck={false}
          className="tabular"
          placeholder={props.placeholder}
          value={props.value}
          onChange={({ target }) => props.onChange(target.value)}
        />
      )}
    </Field>
  );
}
