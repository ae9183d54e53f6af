"use client";
import type { StoredRate } from "@fairlead/domain";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { notify } from "@/components/ui/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { BookSection } from "./book-section.tsx";
import { listed } from "./listed.ts";
import { RateForm } from "./rate-form.tsx";
import { standingsOf } from "./standing.ts";
import { useToday } from "./use-today.ts";
import { ValidFrom } from "./valid-from.tsx";

const nameOf = ({ from, to }: StoredRate) => `${from} to ${to}`;

/** How an organisation converts what is in another currency. */
export function RatesSection() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const today = useToday();
  const query = useQuery(trpc.currencyRate.list.queryOptions(listed));
  const remove = useMutation(trpc.currencyRate.delete.mutationOptions());
  const standings = standingsOf(
    query.data?.items ?? [],
    ({ from, to }) => [from, to].sort().join(),
    ({ asOf }) => asOf,
    today,
  );
  return (
    <BookSection<StoredRate>
      title="Currency rates"
      hint="what is in another currency is converted by them"
      what="rate"
      empty="None yet: whatever has its price in another currency stays out of an estimate, with the reason. Add the rate you reckon by."
      query={query}
      nameOf={nameOf}
      description="From its day on, until a later one of the same two currencies. It counts both ways round."
      form={(row, onDone) => <RateForm rate={row} onDone={onDone} />}
      consequence="What is in the other currency is converted by an older rate, or has no price without one; in estimates of the past as well."
      onDelete={async (row) => {
        await remove.mutateAsync({ id: row.id });
        await queryClient.invalidateQueries(trpc.currencyRate.pathFilter());
        notify(`The rate from ${row.from} to ${row.to} is deleted.`);
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
        { label: "Valid from", cell: ({ id, asOf }) => <ValidFrom day={asOf} standing={standings.get(id)} /> },
        {
          label: "Read where",
          wraps: true,
          cell: ({ source }) => source || <span className="text-muted">not said</span>,
        },
      ]}
    />
  );
}
