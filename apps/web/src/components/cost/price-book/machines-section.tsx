"use client";
import { machineCostOf, type OwnMachine } from "@fairlead/domain/cost";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { hourText, monthText } from "@/components/cost/calculator/money-text.ts";
import { trafficText } from "@/components/cost/calculator/traffic-text.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { BookSection } from "./book-section.tsx";
import { MachineForm } from "./machine-form.tsx";
import { listed } from "./max-listed.ts";
import { useToday } from "./use-today.ts";
import { ValidFrom } from "./valid-from.tsx";
import { validityOf } from "./validity.ts";

const hoursOfMonth = 730;

/** The machines of an organisation, each with its monthly cost. */
export function MachinesSection() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const today = useToday();
  const query = useQuery(trpc.ownMachine.list.queryOptions(listed));
  const remove = useMutation(trpc.ownMachine.delete.mutationOptions());
  const validities = validityOf(
    query.data?.items ?? [],
    ({ name }) => name,
    ({ validFrom }) => validFrom,
    today,
  );
  return (
    <BookSection<OwnMachine>
      title="Your own machines"
      hint="compared in the calculator by name"
      what="machine"
      empty="No machines. Add a machine with its costs to compare it with cloud load balancers in the calculator."
      query={query}
      nameOf={({ name }) => name}
      description="The cost of owning one machine. All values are required: enter 0 for what costs nothing."
      docs="priceBook"
      form={(row, onDone) => <MachineForm machine={row} onDone={onDone} />}
      consequence="Estimates, including those of older links, no longer include it."
      onDelete={async (row) => {
        await remove.mutateAsync({ id: row.id });
        await queryClient.invalidateQueries(trpc.ownMachine.pathFilter());
        notify(`Deleted ${row.name}.`);
      }}
      columns={[
        {
          label: "Name",
          cell: ({ name, note }) => (
            <>
              <span className="font-medium">{name}</span>
              {note ? <span className="ml-2 text-muted text-xs">{note}</span> : null}
            </>
          ),
        },
        { label: "Cores", align: "end", cell: ({ cores }) => cores },
        { label: "Network", align: "end", cell: ({ networkMbps }) => trafficText(networkMbps) },
        {
          label: "Per month",
          align: "end",
          cell: (row) => (
            <span title={partsText(row)} className="font-medium">
              {monthText(row.monthlyMicros, row.currency)}
            </span>
          ),
        },
        {
          label: "Per hour",
          align: "end",
          cell: ({ monthlyMicros, currency }) => hourText(monthlyMicros / hoursOfMonth, currency),
        },
        {
          label: "Valid from",
          cell: ({ id, validFrom }) => <ValidFrom day={validFrom} validity={validities.get(id)} />,
        },
      ]}
    />
  );
}

/** partsText lists the parts of a monthly cost. */
export function partsText(machine: Parameters<typeof machineCostOf>[0] & { currency: string }): string {
  const { purchase, power, hosting, staff } = machineCostOf(machine);
  const text = (micros: number) => monthText(micros, machine.currency);
  return `${text(purchase)} purchase, ${text(power)} power, ${text(hosting)} hosting, ${text(staff)} staff`;
}
