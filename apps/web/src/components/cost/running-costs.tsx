"use client";
import type { CostFormat, CostGroup, CostsAnswer } from "@fairlead/domain/cost";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { BudgetsSection } from "@/components/budget/budgets-section.tsx";
import { hourText, monthText } from "@/components/cost/calculator/money-text.ts";
import { ExportMenu } from "@/components/detail/export-menu.tsx";
import { Figures, FiguresSkeleton } from "@/components/detail/figures.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { useSettled } from "@/components/ui/use-settled.ts";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { CostTable, groupNames } from "./cost-table.tsx";
import { DayBars } from "./day-bars.tsx";
import { exportUrl } from "./export-url.ts";
import { ListPricesNote } from "./list-prices-note.tsx";
import { PricesUsed } from "./prices-used.tsx";
import { Reasons } from "./reasons.tsx";
import { RecalculateUsage } from "./recalculate-usage.tsx";
import {
  type RunningGroup,
  runningGroups,
  runningInput,
  runningMonths,
  runningParams,
  spanOfMonth,
} from "./running-params.ts";
import { shareText } from "./share-text.ts";

const monthNames = { this: "This month", last: "Last month" };
const exportFormats: [CostFormat, string][] = [
  ["csv", "As CSV"],
  ["focus", "As FOCUS 1.2"],
];
const labels = ["So far", "Cost per balancer hour", "Known", "Load balancers"];

/** The hourly cost of load balancers as used, and how much of it is known. */
export function RunningCosts({ now }: { now: string }) {
  const trpc = useTRPC();
  const [params, setParams] = useQueryStates(runningParams, { history: "replace" });
  const { by, label, cluster, month } = params;
  const span = spanOfMonth(month, new Date(now));
  const settledLabel = useSettled(label);
  const needsLabel = by === "label" && label.trim() === "";
  const input = runningInput({ ...params, label: settledLabel }, new Date(now));
  const query = useQuery({
    ...trpc.cost.list.queryOptions(input && !needsLabel ? input : skipToken),
    placeholderData: keepPreviousData,
  });
  const answer = needsLabel ? undefined : query.data;
  return (
    <>
      <PageHeader
        title="Running cost"
        sentence="Usage of your load balancers, at the price of each hour. Usage without a measurement or a price is listed, never counted as free."
        actions={
          <>
            <ExportMenu
              formats={exportFormats}
              urlOf={(format) => exportUrl({ ...span, ...(cluster ? { clusterId: cluster } : {}) }, format)}
            />
            <RecalculateUsage span={span} month={monthNames[month].toLowerCase()} />
          </>
        }
      />
      <BudgetsSection />
      <form
        className="flex flex-wrap items-end gap-3 px-4 pb-4 md:px-6"
        aria-label="Filters"
        onSubmit={(event) => event.preventDefault()}
      >
        <Choice
          label="Month"
          value={month}
          options={runningMonths.map((each) => [each, monthNames[each]])}
          onChange={(value) => void setParams({ month: value })}
        />
        <Choice
          label="Group by"
          value={by}
          options={runningGroups.map((each) => [each, groupNames[each]])}
          onChange={(value) => void setParams({ by: value })}
        />
        {by === "label" ? (
          <Field label="Label" docs="runningCost" required className="w-36">
            {(control) => (
              <Input
                {...control}
                value={label}
                autoComplete="off"
                placeholder="team"
                onChange={({ target }) => void setParams({ label: target.value || null })}
              />
            )}
          </Field>
        ) : null}
        {cluster ? <Button onClick={() => void setParams({ cluster: null })}>From one cluster. Show all</Button> : null}
      </form>
      {needsLabel ? (
        <p className="px-4 text-muted text-sm md:px-6">Enter a label of your exposures, such as team.</p>
      ) : query.error && !answer ? (
        <div className="px-4 md:px-6">
          <ErrorState
            what="Could not load the costs"
            message={problemOf(query.error).message}
            onRetry={() => void query.refetch()}
          />
        </div>
      ) : answer ? (
        <Answered answer={answer} by={by} until={month === "this" ? new Date(now) : null} />
      ) : (
        <FiguresSkeleton labels={labels} />
      )}
    </>
  );
}

function Choice<Value extends string>(props: {
  label: string;
  value: Value;
  options: readonly (readonly [Value, string])[];
  onChange: (value: Value) => void;
}) {
  return (
    <Field label={props.label} docs={null} required className="w-36">
      {(control) => (
        <Select
          {...control}
          value={props.value}
          onChange={({ target }) => {
            const chosen = props.options.find(([value]) => value === target.value);
            if (chosen) props.onChange(chosen[0]);
          }}
        >
          {props.options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function Answered({ answer, by, until }: { answer: CostsAnswer; by: RunningGroup; until: Date | null }) {
  const { items, currency, from, knownShare, micros, balancers, balancerHours } = answer;
  const isPartly = knownShare < 0.995;
  if (items.length === 0)
    return (
      <p className="px-4 text-muted text-sm md:px-6">
        No usage in this period. Running load balancers are metered every few minutes.
      </p>
    );
  return (
    <>
      <Figures
        figures={[
          {
            label: until ? "So far" : "Total",
            value: micros === 0 && knownShare === 0 ? "unknown" : monthText(micros, currency),
            note:
              isPartly && micros > 0 ? "minimum: some costs are unknown" : `up to ${hourName(until ?? answer.to)} UTC`,
          },
          {
            label: "Cost per balancer hour",
            value: micros === 0 && knownShare === 0 ? "unknown" : hourText(micros / balancerHours, currency),
            note: isPartly ? "minimum, on average: some costs are unknown" : "on average",
          },
          {
            label: "Known",
            value: shareText(knownShare),
            note: "of all balancer hours",
            tone: isPartly ? "warn" : undefined,
          },
          { label: "Load balancers", value: balancers, note: countOf(answer.total, groupNames[by]) },
        ]}
      />
      <div className="flex flex-col gap-8 px-4 py-6 md:px-6">
        <ListPricesNote hasPriceBook={answer.hasPriceBook} />
        <DayBars points={answer.points} from={from} currency={currency} />
        <Section
          title={`By ${groupNames[by]}`}
          hint={answer.total > items.length ? `the ${items.length} most expensive of ${answer.total}` : null}
        >
          <CostTable items={items} by={by} currency={currency} />
        </Section>
        <Missing items={items} />
        {answer.prices.length > 0 ? <PricesUsed prices={answer.prices} /> : null}
      </div>
    </>
  );
}

function Missing({ items }: { items: CostGroup[] }) {
  const reasons = Map.groupBy(
    items.flatMap((each) => each.reasons),
    ({ reason }) => reason,
  );
  if (reasons.size === 0) return null;
  return (
    <Section title="Missing values" hint="and how to add them">
      <ul className="flex flex-col gap-2 text-sm">
        {Array.from(reasons, ([reason, own]) => (
          <li key={reason} className="flex flex-col">
            <Reasons reasons={[reason]} {...(own[0] ? { clusterId: own[0].clusterId } : {})} />
            <span className="tabular text-muted text-xs">
              {countOf(
                own.reduce((count, each) => count + each.balancers, 0),
                "load balancer",
              )}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function hourName(at: Date): string {
  return at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
}
