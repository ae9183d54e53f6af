"use client";
import type { CostComparison, CostOption } from "@fairlead/domain";
import { useQuery } from "@tanstack/react-query";
import { Calculator } from "lucide-react";
import Link from "next/link";
import { hourText, monthText } from "@/components/calculator/money-text.ts";
import { calculatorHref } from "@/components/calculator/search-params.ts";
import { placeKey, placeText } from "@/components/calculator/words.ts";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { Section } from "@/components/ui/section.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { Reasons } from "./reasons.tsx";
import { shareText } from "./share-text.ts";

const days = 7;
const mostShown = 5;

/** What an exposure costs, and what its traffic would cost as something else. */
export function WouldCost({ exposureId, clusterId }: { exposureId: string; clusterId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.cost.compare.queryOptions({ id: exposureId, days }));
  const { data } = query;
  return (
    <Section
      title="What it would cost as …"
      hint={`by its traffic of the last ${days} days`}
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
          what="It could not be reckoned"
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
        {today ? <Reasons reasons={today.reasons} clusterId={clusterId} /> : null}
        {profile ? (
          <p className="tabular text-muted">
            {`It carries ${Number(profile.averageMbps.toPrecision(3))} Mbit/s on average and ${Number((profile.peakMbps ?? profile.averageMbps).toPrecision(3))} at its peak, ${Number(profile.newConnectionsPerSecond.toPrecision(3))} new connections a second; measured for ${shareText(measuredShare)} of the time.`}
          </p>
        ) : null}
        {notes.map((note) => (
          <p key={note} className="text-muted">
            {note}
          </p>
        ))}
      </div>
      {profile && shown.length > 0 && !advice ? (
        <p className="max-w-prose text-sm">
          None of these can be advised: what nobody measured or published to carry this traffic is only a guess.
        </p>
      ) : null}
      {profile ? (
        <RowsTable<CostOption>
          label="What its traffic would cost"
          rows={shown}
          rowKey={placeKey}
          stacks
          empty="Nothing that is known carries this traffic."
          columns={[
            {
              label: "As",
              cell: (option) => (
                <span className="inline-flex flex-wrap items-center gap-2">
                  <span className="font-medium">{option.product}</span>
                  {isAdvised(option, advice) ? <Badge>advised</Badge> : null}
                </span>
              ),
            },
            { label: "Where", cell: (option) => <span className="text-muted">{placeText(option)}</span> },
            { label: "An hour", align: "end", cell: (option) => hourText(option.hourlyMicros, currency) },
            { label: "A month", align: "end", cell: (option) => monthText(option.monthlyMicros, currency) },
            { label: "Beside today", align: "end", cell: (option) => <Beside option={option} today={today} /> },
          ]}
        />
      ) : null}
    </div>
  );
}

function Today({ today, currency }: Pick<CostComparison, "today" | "currency">) {
  if (!today) return <p className="text-muted">Nothing of it was metered yet: an hour is, once it is over.</p>;
  if (today.knownShare === 0 && today.micros === 0) return <p>What it costs today is unknown.</p>;
  const atLeast = today.knownShare < 0.995 ? "at least " : "";
  return (
    <p className="tabular">
      It costs {atLeast}
      <span className="font-semibold">{monthText(today.monthlyMicros, currency)} a month</span>, at the rate of these
      days
      {atLeast ? `; all of it is known for ${shareText(today.knownShare)} of the time` : ""}.
    </p>
  );
}

/** shownOf are the cheapest, and what is advised among them or after them. */
function shownOf({ options, advice }: CostComparison): CostOption[] {
  const cheapest = options.slice(0, mostShown);
  const advised = options.slice(mostShown).filter((option) => isAdvised(option, advice));
  return [...cheapest, ...advised];
}

function isAdvised({ offerId, region }: CostOption, advice: CostComparison["advice"]): boolean {
  return advice?.offerId === offerId && advice.region === region;
}

/** Beside a cost that is only known in part, so much is saved at least; that anything costs more would be a guess. */
function Beside({ option, today }: { option: CostOption; today: CostComparison["today"] }) {
  const isWhole = today !== null && today.knownShare >= 0.995;
  const difference = option.monthlyMicros - (today?.monthlyMicros ?? 0);
  const text = monthText(Math.abs(difference), option.currency);
  if (today && difference <= -5_000) return <span>{isWhole ? `${text} less` : `at least ${text} less`}</span>;
  if (!isWhole) return <span className="text-muted">unknown</span>;
  return <span className="text-muted">{difference < 5_000 ? "the same" : `${text} more`}</span>;
}
