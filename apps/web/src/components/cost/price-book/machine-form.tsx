"use client";
import { createOwnMachine, type OwnMachine } from "@fairlead/domain/cost";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { monthText } from "@/components/cost/calculator/money-text.ts";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { BookForm, FieldGroup, TextField } from "./book-form.tsx";
import {
  costOfDraft,
  type MachineDraft,
  type MachineField,
  machineDraft,
  machineFields,
  machineSpec,
} from "./machine-draft.ts";
import { useToday } from "./use-today.ts";

/** The cost of a machine. The total updates while typing. */
export function MachineForm({ machine, onDone }: { machine: OwnMachine | null; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const today = useToday();
  const [draft, setDraft] = useState<MachineDraft>(() => machineDraft(machine, today));
  const errors = useFormErrors(machineFields);
  const outcome = {
    onSuccess({ name, monthlyMicros, currency }: OwnMachine) {
      void queryClient.invalidateQueries(trpc.ownMachine.pathFilter());
      notify(`${name} costs ${monthText(monthlyMicros, currency)} per month.`);
      onDone();
    },
    onError: errors.fail,
  };
  const create = useMutation(trpc.ownMachine.create.mutationOptions(outcome));
  const update = useMutation(trpc.ownMachine.update.mutationOptions(outcome));

  function submit() {
    const spec = errors.check(createOwnMachine, machineSpec(draft));
    if (!spec) return;
    if (machine) update.mutate({ ...spec, id: machine.id });
    else create.mutate(spec);
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
      action={machine ? "Save machine" : "Add machine"}
      busy={create.isPending || update.isPending}
      problem={errors.general}
      failures={errors.failures}
      onSubmit={submit}
      onCancel={onDone}
    >
      <FieldGroup title="Machine">
        <TextField label="Name" placeholder="rack-7" {...text("name")} />
        <TextField label="Cores" {...number("cores")} />
        <TextField
          label="Network, Mbit/s"
          docs="priceBook"
          hint="Its sustained throughput."
          {...number("networkMbps")}
        />
      </FieldGroup>
      <FieldGroup title="Purchase">
        <TextField
          label="Currency"
          placeholder="EUR"
          {...text("currency")}
          onChange={(value) => text("currency").onChange(value.toUpperCase())}
        />
        <TextField {...money("purchaseMicros", "Price")} />
        <TextField label="Lifetime, months" {...number("amortisedMonths")} />
      </FieldGroup>
      <FieldGroup title="Power">
        <TextField label="Power draw, watts" hint="On average." {...number("powerWatts")} />
        <TextField {...money("kwhMicros", "Price per kWh")} />
        <TextField
          label="PUE"
          docs="priceBook"
          hint="Power usage effectiveness of the data centre."
          {...number("pue")}
        />
      </FieldGroup>
      <FieldGroup title="Staff">
        <TextField label="Hours per month" {...number("staffHoursPerMonth")} />
        <TextField {...money("staffHourlyMicros", "Cost per hour")} />
        <TextField label="Share of hours" docs="priceBook" hint="0 to 1, for this machine." {...number("staffShare")} />
      </FieldGroup>
      <FieldGroup title="Hosting and validity">
        <TextField {...money("hostingMonthlyMicros", "Rack and uplink per month")} />
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
          Each costs <strong className="font-semibold">{text(cost.monthlyMicros)}</strong> per month:{" "}
          {text(cost.purchase)} purchase, {text(cost.power)} power, {text(cost.hosting)} hosting, {text(cost.staff)}{" "}
          staff.
        </>
      ) : (
        <span className="text-muted">The monthly cost appears once all fields are filled in.</span>
      )}
    </p>
  );
}
