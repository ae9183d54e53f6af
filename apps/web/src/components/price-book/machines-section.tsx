"use client";
import { machineCostOf, type OwnMachine } from "@fairlead/domain";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { hourText, monthText } from "@/components/calculator/money-text.ts";
import { trafficText } from "@/components/calculator/traffic-text.ts";
import { notify } from "@/components/ui/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { BookSection } from "./book-section.tsx";
import { listed } from "./listed.ts";
import { MachineForm } from "./machine-form.tsx";
import { standingsOf } from "./standing.ts";
import { useToday } from "./use-today.ts";
import { ValidFrom } from "./valid-from.tsx";

const hoursOfMonth = 730;

/** The machines that an organisation owns, each with what a month of it comes to. */
export function MachinesSection() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const today = useToday();
  const query = useQuery(trpc.ownMachine.list.queryOptions(listed));
  const remove = useMutation(trpc.ownMachine.delete.mutationOptions());
  const standings = standingsOf(
    query.data?.items ?? [],
    ({ name }) => name,
    ({ validFrom }) => validFrom,
    today,
  );
  return (
    <BookSection<OwnMachine>
      title="Machines of your own"
      hint="compared in the calculator under their names"
      what="machine"
      empty="None yet. Write down what a machine cost and what runs it, and the calculator compares it with everything that is sold."
      query={query}
      nameOf={({ name }) => name}
      description="What one of it takes to own. Every figure counts: write 0 for what costs nothing."
      form={(row, onDone) => <MachineForm machine={row} onDone={onDone} />}
      consequence="Estimates no longer compare it, those of older links neither."
      onDelete={async (row) => {
        await remove.mutateAsync({ id: row.id });
        await queryClient.invalidateQueries(trpc.ownMachine.pathFilter());
        notify(`${row.name} is deleted.`);
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
          label: "A month",
          align: "end",
          cell: (row) => (
            <span title={partsText(row)} className="font-medium">
              {monthText(row.monthlyMicros, row.currency)}
            </span>
          ),
        },
        {
          label: "An hour",
          align: "end",
          cell: ({ monthlyMicros, currency }) => hourText(monthlyMicros / hoursOfMonth, currency),
        },
        {
          label: "Valid from",
          cell: ({ id, validFrom }) => <ValidFrom day={validFrom} standing={standings.get(id)} />,
        },
      ]}
    />
  );
}

/** partsText says what a month is made of. */
export function partsText(machine: Parameters<typeof machineCostOf>[0] & { currency: string }): string {
  const { purchase, power, hosting, staff } = machineCostOf(machine);
  const text = (micros: number) => monthText(micros, machine.currency);
  return `${text(purchase)} bought, ${text(power)} power, ${text(hosting)} its place, ${text(staff)} people`;
}
