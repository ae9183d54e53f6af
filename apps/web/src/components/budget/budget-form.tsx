"use client";
import { type Budget, type BudgetScope, createBudget } from "@fairlead/domain/budget";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { BookForm, FieldGroup, TextField } from "@/components/cost/price-book/book-form.tsx";
import { ClusterSelect } from "@/components/ui/form/cluster-select.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { type BudgetDraft, budgetDraft, budgetSpec, type draftFields } from "./budget-draft.ts";

const errorPaths = ["name", "amountMicros", "currency", "warnAtPercent", "scope.clusterId", "scope.key", "scope.value"];
const scopeNames: [BudgetScope["type"], string][] = [
  ["organization", "Organisation"],
  ["cluster", "Cluster"],
  ["label", "Label"],
];

/** The amount of a budget, and which load balancers it is for. */
export function BudgetForm({ budget, onDone }: { budget: Budget | null; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<BudgetDraft>(() => budgetDraft(budget));
  const errors = useFormErrors(errorPaths);
  const set = (change: Partial<BudgetDraft>) => setDraft((before) => ({ ...before, ...change }));
  const outcome = {
    onSuccess({ name }: Budget) {
      void queryClient.invalidateQueries(trpc.budget.pathFilter());
      notify(`Saved ${name}.`);
      onDone();
    },
    onError: errors.fail,
  };
  const create = useMutation(trpc.budget.create.mutationOptions(outcome));
  const update = useMutation(trpc.budget.update.mutationOptions(outcome));

  function submit() {
    const spec = errors.check(createBudget, budgetSpec(draft));
    if (!spec) return;
    if (budget) update.mutate({ ...spec, id: budget.id, expectedGeneration: budget.generation });
    else create.mutate(spec);
  }

  const text = (field: (typeof draftFields)[number], path: string = field) => ({
    value: draft[field],
    error: errors.of(path),
    onChange: (value: string) => set({ [field]: value }),
  });

  return (
    <BookForm
      action={budget ? "Save budget" : "Add budget"}
      busy={create.isPending || update.isPending}
      problem={errors.general}
      failures={errors.failures}
      onSubmit={submit}
      onCancel={onDone}
    >
      <FieldGroup title="Budget">
        <TextField label="Name" placeholder="Shop" className="col-span-full" {...text("name")} />
        <TextField label="Amount per month" placeholder="500" isNumber {...text("amountMicros")} />
        <TextField
          label="Currency"
          placeholder="USD"
          {...text("currency")}
          onChange={(value) => set({ currency: value.toUpperCase() })}
        />
        <TextField label="Warn at, %" docs="budgets" hint="Share of the amount." isNumber {...text("warnAtPercent")} />
      </FieldGroup>
      <FieldGroup title="Load balancers">
        <Field label="Scope" docs="budgets" required>
          {(control) => (
            <Select
              {...control}
              value={draft.scopeType}
              onChange={({ target }) => {
                const chosen = scopeNames.find(([type]) => type === target.value);
                if (chosen) set({ scopeType: chosen[0] });
              }}
            >
              {scopeNames.map(([type, name]) => (
                <option key={type} value={type}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {draft.scopeType === "cluster" ? (
          <Field label="Cluster" docs={null} required error={errors.of("scope.clusterId")}>
            {(control) => (
              <ClusterSelect
                control={control}
                value={draft.clusterId}
                onChange={(clusterId) => setDraft((before) => ({ ...before, clusterId }))}
              />
            )}
          </Field>
        ) : null}
        {draft.scopeType === "label" ? (
          <>
            <TextField label="Label of exposures" docs="budgets" placeholder="team" {...text("key", "scope.key")} />
            <TextField label="Value" optional placeholder="shop" {...text("value", "scope.value")} />
          </>
        ) : null}
      </FieldGroup>
    </BookForm>
  );
}
