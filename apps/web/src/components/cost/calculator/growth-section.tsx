"use client";
import { compareTraffic, estimateCosts, timesTraffic } from "@fairlead/domain/cost";
import { memo, useDeferredValue, useMemo } from "react";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { advisedIn } from "./advised-in.ts";
import { monthText } from "./money-text.ts";
import { comparedIn } from "./side-by-side.tsx";
import type { Answer } from "./use-answer.ts";
import { placeKey, placeText, priceText } from "./words.ts";

const factor = 2;
const shown = 5;

/** How the cheapest options and the recommendation change at twice the traffic. */
export const GrowthSection = memo(function GrowthSection(props: { answer: Answer; compare: readonly string[] }) {
  const answer = useDeferredValue(props.answer, null);
  return answer ? <Growth answer={answer} compare={props.compare} /> : null;
});

const Growth = memo(function Growth({ answer, compare }: { answer: Answer; compare: readonly string[] }) {
  const { request, estimate, catalogue } = answer;
  const later = useMemo(
    () => estimateCosts({ ...request, profile: timesTraffic(request.profile, factor) }, catalogue),
    [request, catalogue],
  );
  const rows = useMemo(() => {
    const changes = new Map(compareTraffic(request, catalogue, factor).map((each) => [placeKey(each), each]));
    const why = new Map(later.options.map((option) => [placeKey(option), option.reasons[0] ?? ""]));
    const chosen = comparedIn(answer, compare);
    const others = estimate.options.filter((option) => option.fits && !chosen.includes(option));
    return [...chosen, ...others].slice(0, shown).flatMap((option) => {
      const key = placeKey(option);
      const change = changes.get(key);
      return change ? { key, option, change, why: why.get(key) ?? "" } : [];
    });
  }, [answer, compare, request, catalogue, estimate, later]);
  if (rows.length === 0) return null;
  const { currency } = request;
  return (
    <Section title="At twice the traffic" hint={verdict(answer, { request, catalogue, estimate: later })}>
      <RowsTable
        label="At twice the traffic"
        stacks
        rows={rows}
        rowKey={({ key }) => key}
        empty={null}
        columns={[
          {
            label: "Option",
            wraps: true,
            cell: ({ option }) => (
              <>
                <span className="font-medium">{option.product}</span>{" "}
                <span className="text-muted text-xs">{placeText(option)}</span>
              </>
            ),
          },
          {
            label: "Per month now",
            align: "end",
            cell: ({ option, change }) => priceText(monthText(change.monthlyMicros, currency), option),
          },
          {
            label: "At twice the traffic",
            align: "end",
            cell: ({ option, change: { thenMonthlyMicros: micros } }) =>
              micros === null ? "no price" : priceText(monthText(micros, currency), option),
          },
          {
            label: "Change",
            align: "end",
            cell: ({ change: { rise } }) => (rise === null ? "" : riseText(rise)),
          },
          {
            label: "Still fits",
            wraps: true,
            cell: ({ option, change, why }) => {
              if (change.thenMonthlyMicros === null) return "";
              if (change.thenFits) return "Yes";
              return option.fits ? `No. ${why}` : "No";
            },
          },
        ]}
      />
    </Section>
  );
});

function riseText(rise: number): string {
  const percent = Math.round(rise * 100);
  return percent === 0 ? "the same" : `${percent > 0 ? "+" : "−"}${Math.abs(percent)} %`;
}

/** verdict describes whether the recommendation changes: the proven one, if there is one. */
function verdict(now: Answer, then: Answer): string {
  const [before, after] = [bestOf(now), bestOf(then)];
  if (!after) return "No recommendation at twice the traffic.";
  if (before?.offerId === after.offerId && before.region === after.region) return "The recommendation stays the same.";
  return `The recommendation changes to ${after.product} (${placeText(after)}).`;
}

function bestOf(answer: Answer) {
  const { proven, likely } = advisedIn(answer);
  return (proven ?? likely)?.option;
}
