"use client";
import type { CostComparison } from "@fairlead/domain/cost";
import { useQuery } from "@tanstack/react-query";
import { Calculator } from "lucide-react";
import Link from "next/link";
import { hourText, monthText } from "@/components/cost/calculator/money-text.ts";
import { PriceAgeButton } from "@/components/cost/calculator/price-age.tsx";
import { GradeCell, NameCell, NoBalancerCell, NoBalancerCost } from "@/components/cost/calculator/ranking-cells.tsx";
import type { RankedRow } from "@/components/cost/calculator/ranking-rows.ts";
import { calculatorHref } from "@/components/cost/calculator/search-params.ts";
import { priceText } from "@/components/cost/calculator/words.ts";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { significant } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { comparedRows, differenceText, isWhollyKnown } from "./compared-rows.ts";
import { ListPricesNote } from "./list-prices-note.tsx";
import { PriceDates } from "./price-dates.tsx";
import { Reasons } from "./reasons.tsx";
import { shareText } from "./share-text.ts";

const days = 7;

/** The cost of an exposure, and of alternatives for its traffic. */
export function ComparedCosts({ exposureId, clusterId }: { exposureId: string; clusterId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.cost.compare.queryOptions({ id: exposureId, days }));
  const { data } = query;
  return (
    <Section
      title="Cost comparison"
      hint={`for its traffic of the last ${days} days`}
      actions={
        data?.profile ? (
          <Button asChild size="sm">
            <Link href={calculatorHref("/costs", { profile: data.profile })} prefetch={false}>
              <Calculator aria-hidden />
              Open in the calculator
            </Link>
          </Button>
        ) : null
      }
    >
      {query.error ? (
        <ErrorState
          what="Could not calculate the comparison"
          message={problemOf(query.error).message}
          onRetry={() => void query.refetch()}
        />
      ) : data ? (
        <Compared comparison={data} clusterId={clusterId} />
      ) : (
        <Skeleton className="h-24 w-full" />
      )}
    </Section>
  );
}

export function Compared({ comparison, clusterId }: { comparison: CostComparison; clusterId: string }) {
  const { today, profile, notes, currency, measuredShare, options, noBalancer, advice, priceDates, to } = comparison;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-1 text-sm">
        <Today today={today} currency={currency} />
        <ListPricesNote hasPriceBook={comparison.hasPriceBook} />
        {today ? <Reasons reasons={today.reasons} clusterId={clusterId} /> : null}
        {profile ? (
          <p className="tabular text-muted">
            {`It carries ${significant(profile.averageMbps, 3)} Mbit/s on average and ${significant(profile.peakMbps ?? profile.averageMbps, 3)} Mbit/s at peak, with ${significant(profile.newConnectionsPerSecond, 3)} new connections per second; measured for ${shareText(measuredShare)} of the time.`}
          </p>
        ) : null}
        {notes.map((note) => (
          <p key={note} className="text-muted">
            {note}
          </p>
        ))}
      </div>
      {profile && options.length > 0 && !advice.proven && !advice.likely ? (
        <p className="max-w-prose text-sm">
          No recommendation: the capacity of these options is neither measured nor documented.
        </p>
      ) : null}
      {profile && noBalancer ? (
        <RowsTable<RankedRow>
          label="Cost of its traffic by option"
          rows={comparedRows(comparison)}
          rowKey={({ key }) => key}
          isPinned={(row) => row.option === null || row.pin !== null}
          stacks
          empty={null}
          columns={[
            {
              label: "Option",
              wraps: true,
              cell: (row) => (row.option ? <NameCell row={row} /> : <NoBalancerCell />),
            },
            { label: "Grade", cell: ({ option }) => <GradeCell option={option} weighed={noBalancer} /> },
            {
              label: "Per hour",
              align: "end",
              cell: ({ option }) => (option ? priceText(hourText(option.hourlyMicros, currency), option) : ""),
            },
            {
              label: "Per month",
              align: "end",
              cell: ({ option }) =>
                option ? priceText(monthText(option.monthlyMicros, currency), option) : <NoBalancerCost />,
            },
            {
              label: "Compared to now",
              align: "end",
              cell: ({ option }) => (option ? differenceText(option, today) : ""),
            },
            {
              label: "Oldest price",
              cell: ({ option }) => (option ? <PriceAgeButton option={option} now={to} /> : ""),
            },
          ]}
        />
      ) : null}
      {profile && options.length === 0 ? <p className="text-sm">No known option carries this traffic.</p> : null}
      {options.length > 0 ? (
        <p className="tabular text-muted text-sm">
          <PriceDates dates={priceDates} now={to} />.
        </p>
      ) : null}
    </div>
  );
}

function Today({ today, currency }: Pick<CostComparison, "today" | "currency">) {
  if (!today) return <p className="text-muted">No usage yet: an hour is metered after it ends.</p>;
  if (today.knownShare === 0 && today.micros === 0) return <p>Its current cost is unknown.</p>;
  const atLeast = isWhollyKnown(today) ? "" : "at least ";
  return (
    <p className="tabular">
      It costs {atLeast}
      <span className="font-semibold">{monthText(today.monthlyMicros, currency)} per month</span>, at the current rate
      {atLeast ? `; fully known for ${shareText(today.knownShare)} of the time` : ""}.
    </p>
  );
}
