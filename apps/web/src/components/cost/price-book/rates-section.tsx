"use client";
import type { StoredRate } from "@fairlead/domain/cost";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { BookSection } from "./book-section.tsx";
import { listed } from "./max-listed.ts";
import { RateForm } from "./rate-form.tsx";
import { useToday } from "./use-today.ts";
import { ValidFrom } from "./valid-from.tsx";
import { validityOf } from "./validity.ts";

const nameOf = ({ from, to }: StoredRate) => `${from} to ${to}`;

/** The currency rates of an organisation. */
export function RatesSection() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const today = useToday();
  const query = useQuery(trpc.currencyRate.list.queryOptions(listed));
  const remove = useMutation(trpc.currencyRate.delete.mutationOptions());
  const validities = validityOf(
    query.data?.items ?? [],
    ({ from, to }) => [from, to].sort().join(),
    ({ asOf }) => asOf,
    today,
  );
  return (
    <BookSection<StoredRate>
      title="Currency rates"
      hint="convert prices in other currencies"
      what="rate"
      empty="No rates. Prices in another currency are excluded from estimates, with the reason. Add a rate to include them."
      query={query}
      nameOf={nameOf}
      description="Applies from its date until a later rate of the same two currencies, in both directions."
      docs="priceBook"
      form={(row, onDone) => <RateForm rate={row} onDone={onDone} />}
      consequence="An earlier rate applies. If there is none, prices in the other currency are excluded. Past estimates change too."
      onDelete={async (row) => {
        await remove.mutateAsync({ id: row.id });
        await queryClient.invalidateQueries(trpc.currencyRate.pathFilter());
        notify(`Deleted the rate from ${row.from} to ${row.to}.`);
      }}
      columns={[
        {
          label: "Rate",
          cell: ({ from, to, rate }) => (
            <span className="font-medium">
              1 {from} = {rate} {to}
            </span>
          ),
        },
        { label: "Valid from", cell: ({ id, asOf }) => <ValidFrom day={asOf} validity={validities.get(id)} /> },
        {
          label: "Source",
          wraps: true,
          cell: ({ source }) => source || <span className="text-muted">not set</span>,
        },
      ]}
    />
  );
}
