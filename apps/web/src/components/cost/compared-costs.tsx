"use client";
import type { CostComparison, CostOption } from "@fairlead/domain/cost";
import { useQuery } from "@tanstack/react-query";
import { Calculator } from "lucide-react";
import Link from "next/link";
import { hourText, monthText } from "@/components/cost/calculator/money-text.ts";
import { calculatorHref } from "@/components/cost/calculator/search-params.ts";
import { placeKey, placeText } from "@/components/cost/calculator/words.ts";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { Badge } from "@/components/ui/status/badge.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { ListPricesNote } from "./list-prices-note.tsx";
import { Reasons } from "./reasons.tsx";
import { shareText } from "./share-text.ts";

const days = 7;
const maxShown = 5;

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

function Compared({ comparison, clusterId }: { comparison: CostComparison; clusterId: string }) {
  const { today, profile, notes, currency, measuredShare, advice } = comparison;
  const shown = shownOf(comparison);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-1 text-sm">
        <Today today={today} currency={currency} />
        <ListPricesNote hasPriceBook={comparison.hasPriceBook} />
        {today ? <Reasons reasons={today.reasons} clusterId={clusterId} /> : null}
        {profile ? (
          <p className="tabular text-muted">
            {`It carries ${Number(profile.averageMbps.toPrecision(3))} Mbit/s on average and ${Number((profile.peakMbps ?? profile.averageMbps).toPrecision(3))} Mbit/s at peak, with ${Number(profile.newConnectionsPerSecond.toPrecision(3))} new connections per second; measured for ${shareText(measuredShare)} of the time.`}
          </p>
        ) : null}
        {notes.map((note) => (
          <p key={note} className="text-muted">
            {note}
          </p>
        ))}
      </div>
      {profile && shown.length > 0 && !advice.proven && !advice.likely ? (
        <p className="max-w-prose text-sm">
          No recommendation: the capacity of these options is neither measured nor documented.
        </p>
      ) : null}
      {profile ? (
        <RowsTable<CostOption>
          label="Cost of its traffic by option"
          rows={shown}
          rowKey={placeKey}
          stacks
          empty="No known option carries this traffic."
          columns={[
            {
              label: "Option",
              cell: (option) => (
                <span className="inline-flex flex-wrap items-center gap-2">
                  <span className="font-medium">{option.product}</span>
                  {isAt(option, advice.proven) ? <Badge>cheapest proven</Badge> : null}
                  {isAt(option, advice.likely) ? <Badge>cheapest likely</Badge> : null}
                </span>
              ),
            },
            { label: "Location", cell: (option) => <span className="text-muted">{placeText(option)}</span> },
            { label: "Per hour", align: "end", cell: (option) => hourText(option.hourlyMicros, currency) },
            { label: "Per month", align: "end", cell: (option) => monthText(option.monthlyMicros, currency) },
            { label: "Compared to now", align: "end", cell: (option) => <Beside option={option} today={today} /> },
          ]}
        />
      ) : null}
    </div>
  );
}

function Today({ today, currency }: Pick<CostComparison, "today" | "currency">) {
  if (!today) return <p className="text-muted">No usage yet: an hour is metered after it ends.</p>;
  if (today.knownShare === 0 && today.micros === 0) return <p>Its current cost is unknown.</p>;
  const atLeast = today.knownShare < 0.995 ? "at least " : "";
  return (
    <p className="tabular">
      It costs {atLeast}
      <span className="font-semibold">{monthText(today.monthlyMicros, currency)} per month</span>, at the current rate
      {atLeast ? `; fully known for ${shareText(today.knownShare)} of the time` : ""}.
    </p>
  );
}

/** shownOf returns the cheapest options and the recommended ones. */
function shownOf({ options, advice }: CostComparison): CostOption[] {
  const cheapest = options.slice(0, maxShown);
  const advised = options
    .slice(maxShown)
    .filter((option) => isAt(option, advice.proven) || isAt(option, advice.likely));
  return [...cheapest, ...advised];
}

function isAt({ offerId, region }: CostOption, place: CostComparison["advice"]["proven"]): boolean {
  return place?.offerId === offerId && place.region === region;
}

/** If the current cost is only partly known, savings are a minimum, and extra costs are unknown. */
function Beside({ option, today }: { option: CostOption; today: CostComparison["today"] }) {
  const isWhole = today !== null && today.knownShare >= 0.995;
  const difference = option.monthlyMicros - (today?.monthlyMicros ?? 0);
  const text = monthText(Math.abs(difference), option.currency);
  if (today && difference <= -5_000) return <span>{isWhole ? `${text} less` : `at least ${text} less`}</span>;
  if (!isWhole) return <span className="text-muted">unknown</span>;
  return <span className="text-muted">{difference < 5_000 ? "the same" : `${text} more`}</span>;
}
