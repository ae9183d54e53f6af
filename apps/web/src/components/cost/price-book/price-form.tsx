"use client";
import {
  anyRegion,
  createNegotiatedPrice,
  type NegotiatedPrice,
  type PricePoint,
  providerNames,
  providers,
} from "@fairlead/domain/cost";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Field } from "@/components/ui/form/field.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { BookForm, FieldGroup, TextField } from "./book-form.tsx";
import { type PriceDraft, priceDraft, priceFields, priceSpec } from "./price-draft.ts";
import { agreedText, listedText } from "./price-text.ts";
import { useToday } from "./use-today.ts";

/** Only an own internet line has no list price and can still be entered. */
const ownInternetLine = { provider: "own", sku: "egress", region: anyRegion } as const;

/** The item and its negotiated price. The item can't change when the entry is edited. */
export function PriceForm({ price, onDone }: { price: NegotiatedPrice | null; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const today = useToday();
  const [draft, setDraft] = useState<PriceDraft>(() => priceDraft(price, today));
  const errors = useFormErrors(priceFields);
  const query = useQuery(trpc.cost.prices.queryOptions({}));
  const points = query.data?.points ?? [];
  const change = (part: Partial<PriceDraft>) => setDraft((before) => ({ ...before, ...part }));
  const outcome = {
    onSuccess({ sku, unit, price: agreed }: NegotiatedPrice) {
      void queryClient.invalidateQueries(trpc.negotiatedPrice.pathFilter());
      notify(`Saved ${sku}: ${agreedText(agreed, unit)}.`);
      onDone();
    },
    onError: errors.fail,
  };
  const create = useMutation(trpc.negotiatedPrice.create.mutationOptions(outcome));
  const update = useMutation(trpc.negotiatedPrice.update.mutationOptions(outcome));

  function submit() {
    const spec = errors.check(createNegotiatedPrice, priceSpec(draft));
    if (!spec) return;
    const { price: agreed, validFrom, note } = spec;
    if (price) update.mutate({ id: price.id, price: agreed, validFrom, note });
    else create.mutate(spec);
  }

  const text = (field: "percent" | "amount" | "currency" | "validFrom" | "note", path: string = field) => ({
    value: draft[field],
    error: errors.of(path),
    onChange: (value: string) => change({ [field]: value }),
  });
  const { kind } = draft;
  return (
    <BookForm
      action={price ? "Save price" : "Add price"}
      busy={create.isPending || update.isPending}
      problem={errors.general}
      failures={errors.failures}
      onSubmit={submit}
      onCancel={onDone}
    >
      <ProductFields
        draft={draft}
        points={points}
        today={today}
        isFixed={price !== null}
        errorOf={errors.of}
        onChange={change}
      />
      <FieldGroup title="Agreement">
        <Field label="Type" docs="priceBook" required>
          {(control) => (
            <Select
              {...control}
              value={kind}
              onChange={({ target }) => change({ kind: target.value === "amount" ? "amount" : "discount" })}
            >
              <option value="discount">Discount</option>
              <option value="amount">Price</option>
            </Select>
          )}
        </Field>
        {kind === "discount" ? (
          <TextField label="Discount, %" isNumber placeholder="12" {...text("percent", "price.percent")} />
        ) : (
          <>
            <TextField label="Price" isNumber placeholder="0.018" {...text("amount", "price.micros")} />
            <TextField
              label="Currency"
              {...text("currency", "price.currency")}
              onChange={(value) => change({ currency: value.toUpperCase() })}
            />
          </>
        )}
      </FieldGroup>
      <FieldGroup title="Validity">
        <TextField label="Valid from" type="date" {...text("validFrom")} />
        <TextField label="Note" optional hint="Such as the contract number." {...text("note")} />
      </FieldGroup>
    </BookForm>
  );
}

function ProductFields(props: {
  draft: PriceDraft;
  points: readonly PricePoint[];
  today: string;
  isFixed: boolean;
  errorOf: (path: string) => string | undefined;
  onChange: (part: Partial<PriceDraft>) => void;
}) {
  const { draft, points, isFixed, errorOf, onChange } = props;
  const offered = providerNames.filter((each) => each === "own" || points.some(({ provider }) => provider === each));
  const ofProvider =
    draft.provider === "own" ? [ownInternetLine] : points.filter(({ provider }) => provider === draft.provider);
  const skus = namesOf(
    ofProvider.map(({ sku }) => sku),
    draft.sku,
  );
  const ofItem = points.filter(({ provider, sku }) => provider === draft.provider && sku === draft.sku);
  const regions = namesOf([anyRegion, ...ofItem.map(({ region }) => region)], draft.region);
  const shown = ofItem.filter(({ region }) => draft.region === anyRegion || region === draft.region);
  return (
    <div className="flex flex-col gap-1.5">
      <FieldGroup title="Product">
        <Field label="Provider" docs={null} required error={errorOf("provider")}>
          {(control) => (
            <Select
              {...control}
              disabled={isFixed}
              value={draft.provider}
              onChange={({ target }) => {
                const provider = offered.find((each) => each === target.value);
                if (provider) onChange({ provider, sku: "", region: anyRegion });
              }}
            >
              {[...new Set([...offered, draft.provider])].map((each) => (
                <option key={each} value={each}>
                  {each === "own" ? "Self-hosted" : providers[each].title}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Item" docs="priceBook" required error={errorOf("sku")}>
          {(control) => (
            <Select
              {...control}
              disabled={isFixed}
              value={draft.sku}
              onChange={({ target }) => onChange({ sku: target.value, region: anyRegion })}
            >
              <option value="">Choose …</option>
              {skus.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Region" docs={null} required error={errorOf("region")}>
          {(control) => (
            <Select
              {...control}
              disabled={isFixed}
              value={draft.region}
              onChange={({ target }) => onChange({ region: target.value })}
            >
              {regions.map((each) => (
                <option key={each} value={each}>
                  {each === anyRegion ? "Every region" : each}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </FieldGroup>
      <p className="tabular text-muted text-xs">{listedText(shown, props.today)}</p>
    </div>
  );
}

/** Sorted, without duplicates, and including the selected one. */
function namesOf(names: readonly string[], chosen: string): string[] {
  return [...new Set([...names, ...(chosen ? [chosen] : [])])].sort();
}
