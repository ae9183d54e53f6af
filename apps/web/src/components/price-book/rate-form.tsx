"use client";
import { createCurrencyRate, type StoredRate } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { notify } from "@/components/ui/notices.tsx";
import { useFormErrors } from "@/components/ui/use-form-errors.ts";
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

/** What one currency is in another, from a day on. Between which stays when it is corrected. */
export function RateForm({ rate, onDone }: { rate: StoredRate | null; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const today = useToday();
  const [draft, setDraft] = useState<Draft>(() => draftOf(rate, today));
  const errors = useFormErrors(fields);
  const outcome = {
    onSuccess({ from, to, rate: value }: StoredRate) {
      void queryClient.invalidateQueries(trpc.currencyRate.pathFilter());
      notify(`1 ${from} counts as ${value} ${to}.`);
      onDone();
    },
    onError: errors.fail,
  };
  const create = useMutation(trpc.currencyRate.create.mutationOptions(outcome));
  const update = useMutation(trpc.currencyRate.update.mutationOptions(outcome));

  function submit() {
    const wish = errors.check(createCurrencyRate, { ...draft, rate: numberIn(draft.rate) });
    if (!wish) return;
    const { from: _, to: __, ...change } = wish;
    if (rate) update.mutate({ ...change, id: rate.id });
    else create.mutate(wish);
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
      action={rate ? "Save the rate" : "Add the rate"}
      busy={create.isPending || update.isPending}
      problem={errors.general}
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
          hint={`What 1 ${draft.from || "of one"} is in ${draft.to || "the other"}.`}
          {...text("rate")}
        />
        <TextField label="Valid from" type="date" {...text("asOf")} />
        <TextField label="Read where" optional className="sm:col-span-2" {...text("source")} />
      </div>
    </BookForm>
  );
}
