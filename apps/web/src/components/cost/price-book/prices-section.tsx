"use client";
import { type NegotiatedPrice, providers } from "@fairlead/domain/cost";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { regionText } from "@/components/cost/calculator/words.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { BookSection } from "./book-section.tsx";
import { listed } from "./max-listed.ts";
import { PriceForm } from "./price-form.tsx";
import { agreedText } from "./price-text.ts";
import { useToday } from "./use-today.ts";
import { ValidFrom } from "./valid-from.tsx";
import { validityOf } from "./validity.ts";

/** What an organisation pays instead of list prices. */
export function PricesSection() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const today = useToday();
  const query = useQuery(trpc.negotiatedPrice.list.queryOptions(listed));
  const remove = useMutation(trpc.negotiatedPrice.delete.mutationOptions());
  const validities = validityOf(
    query.data?.items ?? [],
    ({ provider, sku, region }) => [provider, sku, region].join("\n"),
    ({ validFrom }) => validFrom,
    today,
  );
  return (
    <BookSection<NegotiatedPrice>
      title="Negotiated prices"
      hint="override list prices"
      what="price"
      empty="No negotiated prices: list prices apply. Add a discount or a price that you negotiated with a provider."
      query={query}
      nameOf={({ sku }) => sku}
      description="What you pay for one item. A discount is relative to the list price. A price replaces it, including its tiers."
      docs="priceBook"
      form={(row, onDone) => <PriceForm price={row} onDone={onDone} />}
      consequence="An earlier negotiated price applies, or the list price if there is none. Past estimates change too."
      onDelete={async (row) => {
        await remove.mutateAsync({ id: row.id });
        await queryClient.invalidateQueries(trpc.negotiatedPrice.pathFilter());
        notify(`Deleted the price of ${row.sku}.`);
      }}
      columns={[
        { label: "Provider", cell: ({ provider }) => (provider === "own" ? "Self-hosted" : providers[provider].title) },
        {
          label: "Item",
          cell: ({ sku, note }) => (
            <>
              <span className="font-mono text-xs">{sku}</span>
              {note ? <span className="ml-2 text-muted text-xs">{note}</span> : null}
            </>
          ),
        },
        { label: "Region", cell: ({ region }) => regionText(region) },
        {
          label: "Agreement",
          align: "end",
          cell: ({ price, unit }) => <span className="font-medium">{agreedText(price, unit)}</span>,
        },
        {
          label: "Valid from",
          cell: ({ id, validFrom }) => <ValidFrom day={validFrom} validity={validities.get(id)} />,
        },
      ]}
    />
  );
}
