"use client";
import type { Choice, Evidence, RankedCandidate } from "@fairlead/domain/choice";
import { decimals } from "@fairlead/domain/numbers";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Link } from "@/components/ui/action/link.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Badge, type Tone } from "@/components/ui/status/badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { unmeasuredWord } from "./unmeasured-word.ts";

const results = {
  met: { word: "Met", tone: "good" },
  unmet: { word: "Not met", tone: "bad" },
  unknown: { word: "Unknown", tone: "silent" },
} as const satisfies Record<Evidence["result"], { word: string; tone: Tone }>;

const points = (value: number) => decimals(value, 1);

/** The winner with its reason, and every candidate with the evidence for each requirement. */
export function ChoiceResult({ choice }: { choice: Choice }) {
  const { winner, reason, hysteresis, items, candidateCount, eligibleCount } = choice;
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Section
        title={winner ? `Winner: ${winner.name}` : "No winner"}
        hint={`${eligibleCount} of ${candidateCount} ${candidateCount === 1 ? "candidate is" : "candidates are"} eligible`}
      >
        <p className="text-sm">{reason}</p>
        <p className="mt-1 text-muted text-xs">
          Another candidate replaces the winner once it leads by {points(hysteresis.marginPoints)} points, or for{" "}
          {hysteresis.holdSeconds} s.
        </p>
      </Section>
      {items.map((each, place) => (
        <RankedSection key={each.id} of={each} among={choice.among} isOpen={place < 3} />
      ))}
      {candidateCount > items.length ? (
        <p className="text-muted text-sm">
          The best {items.length} of {candidateCount} are listed.
        </p>
      ) : null}
    </div>
  );
}

type RankedProps = { of: RankedCandidate; among: Choice["among"]; isOpen: boolean };

function RankedSection({ of, among, isOpen }: RankedProps) {
  const { rank, id, name, clusterId, clusterName, isEligible, evidence, against } = of;
  const isExposure = among === "exposures";
  return (
    <section aria-label={name} className="flex min-w-0 flex-col gap-2">
      <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold text-sm">
        <span className="tabular text-muted">{rank}</span>
        <Link
          href={isExposure ? `/exposures/${id}` : `/clusters/${id}`}
          className="text-accent underline-offset-2 hover:underline"
        >
          {name}
        </Link>
        {isExposure && clusterId !== id ? <span className="font-normal text-muted">{clusterName}</span> : null}
        <span className="tabular">{points(of.points)} points</span>
        <Badge tone={isEligible ? "good" : "bad"}>{isEligible ? "Eligible" : "Not eligible"}</Badge>
      </h3>
      {against.length > 0 ? (
        <ul className="list-disc pl-5 text-sm" aria-label={`Against ${name}`}>
          {against.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : null}
      <details open={isOpen}>
        <summary className="cursor-pointer text-muted text-sm">Evidence</summary>
        <RowsTable
          label={`Evidence of ${name}`}
          stacks
          rows={evidence}
          rowKey={({ requirement }) => requirement}
          empty="No requirements."
          columns={[
            { label: "Requirement", cell: ({ title }) => title },
            {
              label: "Result",
              cell: ({ result }) => <Badge tone={results[result].tone}>{results[result].word}</Badge>,
            },
            { label: "Value", cell: ({ text }) => text },
            { label: "Limit", cell: ({ wanted, required }) => `${wanted}, ${required ? "required" : "preferred"}` },
            {
              label: "Points",
              align: "end",
              cell: ({ points: got, mostPoints }) => `${points(got)} of ${points(mostPoints)}`,
            },
            { label: "Source", wraps: true, cell: ({ source }) => source },
            {
              label: "Measured",
              cell: ({ measuredAt, result }) => (measuredAt ? <Age at={measuredAt} /> : unmeasuredWord(result)),
            },
          ]}
        />
      </details>
    </section>
  );
}
