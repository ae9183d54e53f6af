"use client";
import {
  type Catalogue,
  type CurrencyRate,
  constraints,
  exchangeTo,
  providerNames,
  providers,
} from "@fairlead/domain/cost";
import { Plus, X } from "lucide-react";
import { memo, useMemo } from "react";
import { ChoiceFilter } from "@/components/table/choice-filter.tsx";
import { classNames } from "@/components/ui/class-names.ts";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Choice, Group, Pairs, type SetParams } from "./profile-form.tsx";
import { readRate, writeRate } from "./read-query.ts";
import type { CalculatorParams } from "./search-params.ts";
import { constraintNames, regionText } from "./words.ts";

type PlaceParams = Pick<CalculatorParams, "providers" | "regions" | "constraints" | "currency" | "rates">;

/** The allowed providers and regions, the requirements, and the currency. */
export const PlaceForm = memo(function PlaceForm(props: {
  params: PlaceParams;
  problem: string | undefined;
  catalogue: Catalogue;
  currencies: readonly string[];
  bookRates: readonly CurrencyRate[];
  setParams: SetParams;
  isDetailed: boolean;
}) {
  const { params, catalogue, setParams } = props;
  const offered = useMemo(() => providerNames.filter((each) => catalogue.namesOf(each).length > 0), [catalogue]);
  const regions = useMemo(() => {
    const chosen = params.providers.length > 0 ? params.providers : offered;
    return [...new Set(chosen.flatMap((each) => catalogue.regionsOf(each)))].filter((name) => name !== "any").sort();
  }, [catalogue, offered, params.providers]);
  return (
    <>
      <Group title="Where" docs="estimateChoices">
        <div className="flex flex-wrap gap-2">
          <ChoiceFilter
            label="Providers"
            options={offered.map((word) => ({ word, label: word === "own" ? "Self-hosted" : providers[word].title }))}
            chosen={params.providers}
            onChoose={(words) => setParams({ providers: words })}
          />
          <ChoiceFilter
            label="Regions"
            options={regions.map((word) => ({ word, label: regionText(word) }))}
            chosen={params.regions}
            onChoose={(words) => setParams({ regions: words })}
          />
        </div>
        <Problem text={props.problem} />
      </Group>
      {props.isDetailed ? <Requirements params={params} setParams={setParams} /> : null}
      {props.isDetailed ? <Money {...props} /> : null}
    </>
  );
});

function Requirements({ params, setParams }: { params: PlaceParams; setParams: SetParams }) {
  return (
    <Group title="Requirements" docs="estimateChoices">
      <ul className="flex flex-wrap gap-1.5">
        {constraints.map((word) => {
          const isOn = params.constraints.includes(word);
          const next = constraints.filter((each) => (each === word) !== params.constraints.includes(each));
          return (
            <li key={word}>
              <button
                type="button"
                aria-pressed={isOn}
                onClick={() => setParams({ constraints: next })}
                className={classNames(
                  "touch-target inline-flex h-7 items-center gap-1 rounded-md border px-2 text-xs",
                  isOn
                    ? "border-accent/50 bg-accent-soft font-medium text-accent"
                    : "border-line-strong/60 border-dashed hover:bg-hover",
                )}
              >
                {isOn ? <X className="size-3.5" aria-hidden /> : <Plus className="size-3.5" aria-hidden />}
                {constraintNames[word]}
              </button>
            </li>
          );
        })}
      </ul>
    </Group>
  );
}

function Money(props: {
  params: PlaceParams;
  currencies: readonly string[];
  catalogue: Catalogue;
  bookRates: readonly CurrencyRate[];
  setParams: SetParams;
}) {
  const { params, currencies, catalogue, bookRates, setParams } = props;
  const names = Object.fromEntries([...new Set([...currencies, params.currency])].map((code) => [code, code]));
  const today = catalogue.now.toISOString().slice(0, 10);
  const known = params.rates.flatMap((text) => readRate(text, params.currency) ?? []);
  const others = currencies.filter((code) => code !== params.currency);
  const booked = exchangeTo(params.currency, bookRates);

  function setRate(from: string, rate: string) {
    const rest = params.rates.filter((text) => !text.startsWith(`${from}:`));
    setParams({ rates: rate.trim() === "" ? rest : [...rest, writeRate(from, rate.trim(), today)] });
  }

  return (
    <Group title="Currency" docs="estimateChoices">
      <Pairs>
        <Choice
          label="Currency"
          names={names}
          value={params.currency}
          onChange={(currency) => setParams({ currency, rates: null })}
        />
        {others.map((code) => {
          const rate = known.find(({ from }) => from === code);
          const typed = params.rates.find((text) => text.startsWith(`${code}:`));
          const own = booked(code);
          const otherwise = own === null ? `Without it, prices in ${code} are excluded.` : "From your price book.";
          return (
            <Field
              key={code}
              label={`1 ${code} in ${params.currency}`}
              docs={null}
              hint={rate ? `As of ${rate.asOf}.` : otherwise}
              error={typed && !rate ? "Enter a rate above 0, such as 1.08." : undefined}
            >
              {(control) => (
                <Input
                  {...control}
                  inputMode="decimal"
                  autoComplete="off"
                  className="tabular"
                  placeholder={own === null ? undefined : String(Number(own.toPrecision(6)))}
                  value={typed?.slice(code.length + 1).replace(/@.*/, "") ?? ""}
                  onChange={({ target }) => setRate(code, target.value)}
                />
              )}
            </Field>
          );
        })}
      </Pairs>
    </Group>
  );
}

function Problem({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <p role="alert" className="pt-1 text-bad text-xs">
      {text}
    </p>
  );
}
