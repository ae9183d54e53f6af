"use client";
import { type CreatedApiKey, createApiKey } from "@fairlead/domain/access";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { serverNow } from "@/live/server-clock.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { emptyKey, expiryChoices, type KeyDraft, toCreateApiKey } from "./key-draft.ts";
import { RoleSelect } from "./role-select.tsx";
import { roleWords } from "./role-words.ts";
import { ScopeFields } from "./scope-fields.tsx";
import { withinRole } from "./scope-groups.ts";

export function CreateKeyForm({ onMade, onCancel }: { onMade: (key: CreatedApiKey) => void; onCancel: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<KeyDraft>(emptyKey);
  const errors = useFormErrors(["name", "role", "scopes", "requestsPerMinute"]);
  const change = (part: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...part }));
  const create = useMutation(
    trpc.apiKey.create.mutationOptions({
      onSuccess(key) {
        void queryClient.invalidateQueries(trpc.apiKey.pathFilter());
        onMade(key);
      },
      onError: errors.fail,
    }),
  );
  return (
    <Form
      failures={errors.failures}
      className="flex flex-col gap-4"
      onSubmit={() => {
        const spec = errors.check(createApiKey, toCreateApiKey(draft, new Date(serverNow())));
        if (spec) create.mutate(spec);
      }}
    >
      <Field
        label="Name"
        docs={null}
        required
        error={errors.of("name")}
        hint="The program that uses it, so that you can identify the key later."
      >
        {(control) => (
          <Input
            {...control}
            autoFocus
            autoComplete="off"
            placeholder="deploy pipeline"
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Role" docs="members" required error={errors.of("role")}>
          {(control) => (
            <RoleSelect
              {...control}
              value={draft.role}
              onChange={(role) => change({ role, scopes: withinRole(draft.scopes, role) })}
            />
          )}
        </Field>
        <Field label="Expires" docs="apiKeys" required>
          {(control) => (
            <Select
              {...control}
              value={draft.expiry}
              onChange={({ target }) =>
                change({ expiry: expiryChoices.find(([value]) => value === target.value)?.[0] ?? draft.expiry })
              }
            >
              {expiryChoices.map(([value, title]) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label="Requests per minute"
          docs="apiKeys"
          required
          error={errors.of("requestsPerMinute") ? "Enter a number between 1 and 60,000." : undefined}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={draft.requestsPerMinute}
              onChange={(event) => change({ requestsPerMinute: event.target.value })}
            />
          )}
        </Field>
      </div>
      <p className="-mt-2 text-muted text-xs">
        The role limits the scopes. {draft.role}: {roleWords[draft.role]}
      </p>
      <ScopeFields
        role={draft.role}
        scopes={draft.scopes}
        error={errors.of("scopes")}
        onChange={(scopes) => change({ scopes })}
      />
      <FormFoot problem={errors.general} action="Create key" busy={create.isPending} onCancel={onCancel} />
    </Form>
  );
}
