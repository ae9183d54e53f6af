"use client";
import { type ReactNode, useActionState, useEffect, useRef } from "react";
import { Button } from "@/components/ui/action/button.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import type { FormState } from "./form-state.ts";

export type AuthField = {
  name: string;
  label: string;
  type?: "text" | "email" | "password";
  autoComplete: string;
  hint?: string;
  /** Shown read-only. */
  fixed?: string;
};

/** A short form that posts to a server action. It works before its script has loaded, and without it. */
export function AuthForm({
  action,
  fields,
  hidden = {},
  submit,
  notice,
}: {
  action: (state: FormState, form: FormData) => Promise<FormState>;
  fields: AuthField[];
  hidden?: Record<string, string>;
  submit: string;
  notice?: ReactNode;
}) {
  const [state, send, isBusy] = useActionState(action, {});
  const first = fields.find((field) => !field.fixed);
  const form = useRef<HTMLFormElement>(null);

  // After a rejection, focus the field that has the error, else the password.
  useEffect(() => {
    if (!state.fields && !state.message) return;
    const wrong = form.current?.querySelector<HTMLElement>("[aria-invalid]");
    (wrong ?? form.current?.querySelector<HTMLElement>("input[type=password]"))?.focus();
  }, [state]);
  return (
    <form ref={form} action={send} noValidate className="flex flex-col gap-4">
      {state.message || notice ? (
        <p role="alert" className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          {state.message ?? notice}
        </p>
      ) : null}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {fields.map((field) => (
        <Field
          key={field.name}
          label={field.label}
          docs={null}
          hint={field.hint}
          error={state.fields?.[field.name]}
          required
        >
          {(control) => (
            <Input
              {...control}
              name={field.name}
              type={field.type ?? "text"}
              autoComplete={field.autoComplete}
              defaultValue={field.fixed ?? state.kept?.[field.name]}
              readOnly={field.fixed !== undefined}
              autoFocus={field === first}
            />
          )}
        </Field>
      ))}
      <Button type="submit" variant="primary" busy={isBusy} className="mt-1 justify-center">
        {submit}
      </Button>
    </form>
  );
}
