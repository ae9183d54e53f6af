"use client";
import { type NegotiatedPrice, providerNames } from "@fairlead/domain";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { regionText } from "@/components/calculator/words.ts";
import { notify } from "@/components/ui/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { BookSection } from "./book-section.tsx";
import { listed } from "./listed.ts";
import { PriceForm } from "./price-form.tsx";
import { agreedText } from "./price-text.ts";
import { standingsOf } from "./standing.ts";
import { useToday } from "./use-today.ts";
import { ValidFrom } from "./valid-from.tsx";

/** What an organisation pays instead of what is listed. */
export function PricesSection() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const today = useToday();
  const query = useQuery(trpc.negotiatedPrice.list.queryOptions(listed));
  const remove = useMutation(trpc.negotiatedPrice.delete.mutationOptions());
  const standings = standingsOf(
    query.data?.items ?? [],
    ({ provider, sku, region }) => [provider, sku, region].join("\n"),
    ({ validFrom }) => validFrom,
    today,
  );
  return (
    <BookSection<NegotiatedPrice>
      title="Negotiated prices"
      hint="instead of what is listed"
      what="price"
      empty="None yet: you pay what is listed. Add a discount or a price that you agreed with a provider."
      query={query}
      nameOf={({ sku }) => sku}
      description="What you pay for one item. A discount follows what is listed; a price replaces it, tiers and all."
      form={(row, onDone) => <PriceForm price={row} onDone={onDone} />}
      consequence="What is listed counts again, or what you agreed before it; for estimates of the past as well."
      onDelete={async (row) => {
        await remove.mutateAsync({ id: row.id });
        await queryClient.invalidateQueries(trpc.negotiatedPrice.pathFilter());
        notify(`The price of ${row.sku} is deleted.`);
      }}
      columns={[
        { label: "Provider", cell: ({ provider }) => (provider === "own" ? "Your own" : providerNames[provider]) },
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
          label: "Agreed",
          align: "end",
          cell: ({ price, unit }) => <span className="font-medium">{agreedText(price, unit)}</span>,
        },
        {
          label: "Valid from",
          cell: ({ id, validFrom }) => <ValidFrom day={validFrom} standing={standings.get(id)} />,
        },
      ]}
    />
  );
}
