"use client";
import { createOwnMachine, type OwnMachine } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { monthText } from "@/components/calculator/money-text.ts";
import { notify } from "@/components/ui/notices.tsx";
import { useFormErrors } from "@/components/ui/use-form-errors.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { BookForm, FieldGroup, TextField } from "./book-form.tsx";
import {
  costOfDraft,
  type MachineDraft,
  type MachineField,
  machineDraft,
  machineFields,
  machineWish,
} from "./machine-draft.ts";
import { useToday } from "./use-today.ts";

/** What a machine cost and what runs it; the sum follows what is typed. */
export function MachineForm({ machine, onDone }: { machine: OwnMachine | null; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const today = useToday();
  const [draft, setDraft] = useState<MachineDraft>(() => machineDraft(machine, today));
  const errors = useFormErrors(machineFields);
  const outcome = {
    onSuccess({ name, monthlyMicros, currency }: OwnMachine) {
      void queryClient.invalidateQueries(trpc.ownMachine.pathFilter());
      notify(`${name} costs ${monthText(monthlyMicros, currency)} a month.`);
      onDone();
    },
    onError: errors.fail,
  };
  const create = useMutation(trpc.ownMachine.create.mutationOptions(outcome));
  const update = useMutation(trpc.ownMachine.update.mutationOptions(outcome));

  function submit() {
    const wish = errors.check(createOwnMachine, machineWish(draft));
    if (!wish) return;
    if (machine) update.mutate({ ...wish, id: machine.id });
    else create.mutate(wish);
  }

  const text = (field: MachineField) => ({
    value: draft[field],
    error: errors.of(field),
    onChange: (value: string) => setDraft((before) => ({ ...before, [field]: value })),
  });
  const number = (field: MachineField) => ({ ...text(field), isNumber: true });
  const money = (field: MachineField, label: string) => ({
    ...number(field),
    label: draft.currency ? `${label}, ${draft.currency.toUpperCase()}` : label,
  });

  return (
    <BookForm
      action={machine ? "Save the machine" : "Add the machine"}
      busy={create.isPending || update.isPending}
      problem={errors.general}
      onSubmit={submit}
      onCancel={onDone}
    >
      <FieldGroup title="The machine">
        <TextField label="Name" placeholder="rack-7" {...text("name")} />
        <TextField label="Cores" {...number("cores")} />
        <TextField label="Network, Mbit/s" hint="What it carries for good." {...number("networkMbps")} />
      </FieldGroup>
      <FieldGroup title="Bought">
        <TextField
          label="Currency"
          placeholder="EUR"
          {...text("currency")}
          onChange={(value) => text("currency").onChange(value.toUpperCase())}
        />
        <TextField {...money("purchaseMicros", "Price")} />
        <TextField label="Used for, months" {...number("amortisedMonths")} />
      </FieldGroup>
      <FieldGroup title="Powered">
        <TextField label="Draws, watts" hint="On average." {...number("powerWatts")} />
        <TextField {...money("kwhMicros", "A kWh")} />
        <TextField label="PUE" hint="What the hall takes for each watt." {...number("pue")} />
      </FieldGroup>
      <FieldGroup title="Looked after">
        <TextField label="Hours a month" {...number("staffHoursPerMonth")} />
        <TextField {...money("staffHourlyMicros", "An hour")} />
        <TextField label="Share of them" hint="0 to 1, for this machine." {...number("staffShare")} />
      </FieldGroup>
      <FieldGroup title="Where it stands, and since when">
        <TextField {...money("hostingMonthlyMicros", "Rack and line a month")} />
        <TextField label="Valid from" type="date" {...text("validFrom")} />
        <TextField label="Note" optional {...text("note")} />
      </FieldGroup>
      <Sum draft={draft} />
    </BookForm>
  );
}

function Sum({ draft }: { draft: MachineDraft }) {
  const cost = costOfDraft(draft);
  const hasCurrency = /^[A-Z]{3}$/.test(draft.currency);
  const text = (micros: number) => monthText(micros, draft.currency);
  return (
    <p className="tabular border-t pt-3 text-sm">
      {cost && hasCurrency ? (
        <>
          One of it costs <strong className="font-semibold">{text(cost.monthlyMicros)}</strong> a month:{" "}
          {text(cost.purchase)} bought, {text(cost.power)} power, {text(cost.hosting)} rack and line, {text(cost.staff)}{" "}
          people.
        </>
      ) : (
        <span className="text-muted">What a month comes to follows when all figures are there.</span>
      )}
    </p>
  );
}
