"use client";
import type { CostOption } from "@fairlead/domain/cost";
import { memo, useMemo, useState } from "react";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Checkbox } from "@/components/ui/form/checkbox.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { ShowMore } from "@/components/ui/layout/show-more.tsx";
import { Badge } from "@/components/ui/status/badge.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { BandMark } from "./band-mark.tsx";
import { spanOf } from "./band-scale.ts";
import { hourText, monthText } from "./money-text.ts";
import { PriceAgeButton } from "./price-age.tsx";
import { maxCompared } from "./search-params.ts";
import type { Answer } from "./use-answer.ts";
import { placeKey, placeText } from "./words.ts";

/** Drawing a row takes longer than calculating it. */
const shownFirst = 8;

const fit = { word: "Fits", shape: "disc", tone: "good" } as const;
const misfit = { word: "Does not fit", shape: "cross", tone: "silent" } as const;

/** All options: those that fit first, cheapest first. */
export const Ranking = memo(function Ranking(props: {
  answer: Answer;
  everyRegion: boolean;
  compare: readonly string[];
  onCompare: (key: string) => void;
  onEveryRegion: (all: boolean) => void;
}) {
  const { answer, everyRegion, compare } = props;
  const { estimate, catalogue } = answer;
  const [showsAll, setShowsAll] = useState(false);
  const ranked = useMemo(
    () => (everyRegion ? estimate.options : cheapestRegions(estimate.options)),
    [estimate, everyRegion],
  );
  const rows = showsAll ? ranked : ranked.slice(0, shownFirst);
  const span = useMemo(() => spanOf(ranked), [ranked]);
  const advised = estimate.advice ? placeKey(estimate.advice) : null;
  const isFull = compare.length >= maxCompared;
  // If no option has a price, only the reasons are shown.
  if (ranked.length === 0)
    return estimate.unpriced.length > 0 ? <Unpriced unpriced={estimate.unpriced} isOpen /> : null;
  return (
    <Section
      title="Every option"
      hint={everyRegion ? "every region of each option" : "cheapest region of each option"}
      actions={
        <label className="flex items-center gap-2 text-sm print:hidden">
          <Checkbox checked={everyRegion} onChange={({ target }) => props.onEveryRegion(target.checked)} />
          Every region
        </label>
      }
    >
      <RowsTable
        label="Every option"
        stacks
        rows={rows}
        rowKey={placeKey}
        empty={null}
        columns={[
          {
            label: "Option",
            wraps: true,
            cell: (option) => <Name option={option} isAdvised={placeKey(option) === advised} />,
          },
          {
            label: "Per month",
            align: "end",
            cell: (option) => <span className="font-semibold">{monthText(option.monthlyMicros, option.currency)}</span>,
          },
          { label: "Per hour", align: "end", cell: (option) => hourText(option.hourlyMicros, option.currency) },
          { label: "Range", cell: (option) => <BandMark option={option} span={span} /> },
          { label: "Cost driver", cell: (option) => option.dominantDimension ?? "" },
          { label: "Oldest price", cell: (option) => <PriceAgeButton option={option} now={catalogue.now} /> },
          {
            label: "Compare",
            screenOnly: true,
            cell: (option) => {
              const key = placeKey(option);
              const isOn = compare.includes(key);
              return (
                <label className="touch-target flex w-fit">
                  <Checkbox
                    checked={isOn}
                    disabled={!isOn && isFull}
                    aria-label={`Compare ${option.product}, ${placeText(option)}`}
                    onChange={() => props.onCompare(key)}
                  />
                </label>
              );
            },
          },
        ]}
      />
      <div className="print:hidden">
        <ShowMore total={ranked.length} first={shownFirst} all={showsAll} onChange={setShowsAll} />
      </div>
      {estimate.unpriced.length > 0 ? <Unpriced unpriced={estimate.unpriced} /> : null}
    </Section>
  );
});

function Name({ option, isAdvised }: { option: CostOption; isAdvised: boolean }) {
  return (
    <span className="flex flex-col gap-0.5 py-0.5">
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium">{option.product}</span>
        {isAdvised ? <Badge tone="accent">Recommended</Badge> : null}
      </span>
      <span className="flex flex-wrap items-center gap-x-2 text-muted text-xs">
        {placeText(option)}
        <StatusBadge status={option.fits ? fit : misfit} />
      </span>
      {option.fits ? null : <span className="text-muted text-xs">{option.reasons[0]}</span>}
    </span>
  );
}

function Unpriced({ unpriced, isOpen }: { unpriced: Answer["estimate"]["unpriced"]; isOpen?: boolean }) {
  return (
    <details className="mt-3 text-sm" open={isOpen}>
      <summary className="w-fit text-muted">
        {countOf(unpriced.length, "option")} without a price, with the reason
      </summary>
      <ul className="flex flex-col gap-1 pt-2">
        {unpriced.map((each) => (
          <li key={placeKey(each)}>
            {each.product}, <span className="text-muted">{placeText(each)}: </span>
            {each.reason}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Options are sorted by cost, so the first of an offer is its cheapest. */
function cheapestRegions(options: readonly CostOption[]): CostOption[] {
  const seen = new Set<string>();
  return options.filter(({ offerId }) => !seen.has(offerId) && seen.add(offerId));
}
