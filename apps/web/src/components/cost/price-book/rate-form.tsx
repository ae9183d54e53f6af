"use client";
import { createCurrencyRate, type StoredRate } from "@fairlead/domain/cost";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { BookForm, TextField } from "./book-form.tsx";
import { numberIn } from "./draft-values.ts";
import { useToday } from "./use-today.ts";

const fields = ["from", "to", "rate", "asOf", "source"] as const;
type Draft = Record<(typeof fields)[number], string>;

const draftOf = (rate: StoredRate | null, today: string): Draft =>
  rate
    ? { from: rate.from, to: rate.to, rate: String(rate.rate), asOf: rate.asOf, source: rate.source }
    : { from: "EUR", to: "USD", rate: "", asOf: today, source: "" };

/** The rate between two currencies from a date on. The currencies can't change when the entry is edited. */
export function RateForm({ rate, onDone }: { rate: StoredRate | null; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const today = useToday();
  const [draft, setDraft] = useState<Draft>(() => draftOf(rate, today));
  const errors = useFormErrors(fields);
  const outcome = {
    onSuccess({ from, to, rate: value }: StoredRate) {
      void queryClient.invalidateQueries(trpc.currencyRate.pathFilter());
      notify(`Saved the rate: 1 ${from} = ${value} ${to}.`);
      onDone();
    },
    onError: errors.fail,
  };
  const create = useMutation(trpc.currencyRate.create.mutationOptions(outcome));
  const update = useMutation(trpc.currencyRate.update.mutationOptions(outcome));

  function submit() {
    const spec = errors.check(createCurrencyRate, { ...draft, rate: numberIn(draft.rate) });
    if (!spec) return;
    const { from: _, to: __, ...change } = spec;
    if (rate) update.mutate({ ...change, id: rate.id });
    else create.mutate(spec);
  }

  const text = (field: keyof Draft) => ({
    value: draft[field],
    error: errors.of(field),
    onChange: (value: string) => setDraft((before) => ({ ...before, [field]: value })),
  });
  const code = (field: "from" | "to") => ({
    ...text(field),
    onChange: (value: string) => text(field).onChange(value.toUpperCase()),
  });
  return (
    <BookForm
      action={rate ? "Save rate" : "Add rate"}
      busy={create.isPending || update.isPending}
      problem={errors.general}
      failures={errors.failures}
      onSubmit={submit}
      onCancel={onDone}
    >
      <div className="grid items-start gap-3 sm:grid-cols-3">
        {rate ? null : (
          <>
            <TextField label="From" placeholder="EUR" {...code("from")} />
            <TextField label="To" placeholder="USD" {...code("to")} />
          </>
        )}
        <TextField
          label="Rate"
          placeholder="1.08"
          isNumber
          hint={`The price of 1 ${draft.from || "unit"} in ${draft.to || "the other currency"}.`}
          {...text("rate")}
        />
        <TextField label="Valid from" type="date" {...text("asOf")} />
        <TextField label="Source" optional className="sm:col-span-2" {...text("source")} />
      </div>
    </BookForm>
  );
}
