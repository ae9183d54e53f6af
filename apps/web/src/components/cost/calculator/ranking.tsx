"use client";
import { memo, useMemo, useState } from "react";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { ChoiceFilter } from "@/components/table/choice-filter.tsx";
import { Checkbox } from "@/components/ui/form/checkbox.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { ShowMore } from "@/components/ui/layout/show-more.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { BandMark } from "./band-mark.tsx";
import { spanOf } from "./band-scale.ts";
import { hourText, monthText } from "./money-text.ts";
import { PriceAgeButton } from "./price-age.tsx";
import { GradeCell, MissingPrices, NameCell, NoBalancerCell, NoBalancerCost } from "./ranking-cells.tsx";
import { type RankedRow, rankRows } from "./ranking-rows.ts";
import { maxCompared, type ShownGrade, shownGrades } from "./search-params.ts";
import type { Answer } from "./use-answer.ts";
import { gradeLooks, placeText, priceText } from "./words.ts";

/** Drawing a row takes longer than calculating it. */
const shownFirst = 9;

const gradeChoices = shownGrades.map((word) => ({
  word,
  label: gradeLooks[word].word,
  look: <StatusBadge status={gradeLooks[word]} />,
}));

/** All options: no balancer and the recommended ones first, then the others, cheapest first. */
export const Ranking = memo(function Ranking(props: {
  answer: Answer;
  everyRegion: boolean;
  grades: readonly ShownGrade[];
  compare: readonly string[];
  onCompare: (key: string) => void;
  onEveryRegion: (all: boolean) => void;
  onGrades: (grades: ShownGrade[] | null) => void;
}) {
  const { answer, everyRegion, grades, compare } = props;
  const { estimate, catalogue } = answer;
  const [showsAll, setShowsAll] = useState(false);
  const ranked = useMemo(() => rankRows(estimate, { everyRegion, grades }), [estimate, everyRegion, grades]);
  const rows = showsAll ? ranked : ranked.slice(0, shownFirst);
  const span = useMemo(() => spanOf(ranked.flatMap(({ option }) => option ?? [])), [ranked]);
  // If no option has a price, only the reasons are shown.
  if (estimate.options.length === 0) return <MissingPrices estimate={estimate} isOpen />;
  return (
    <Section
      title="Every option"
      hint={everyRegion ? "every region of each option" : "cheapest region of each option"}
      actions={
        <div className="flex flex-wrap items-center gap-3 text-sm print:hidden">
          <ChoiceFilter label="Grade" options={gradeChoices} chosen={grades} onChoose={props.onGrades} />
          <label className="flex items-center gap-2">
            <Checkbox checked={everyRegion} onChange={({ target }) => props.onEveryRegion(target.checked)} />
            Every region
          </label>
        </div>
      }
    >
      <RowsTable<RankedRow>
        label="Every option"
        stacks
        rows={rows}
        // By place: a keystroke changes the order, and filling rows is faster than moving them.
        rowKey={(_, place) => String(place)}
        isPinned={(row) => row.option === null || row.pin !== null}
        empty={null}
        columns={[
          {
            label: "Option",
            wraps: true,
            cell: (row) => (row.option ? <NameCell row={row} /> : <NoBalancerCell />),
          },
          { label: "Grade", cell: ({ option }) => <GradeCell option={option} weighed={estimate.noBalancer} /> },
          { label: "Rank", align: "end", cell: (row) => (row.option ? row.rank : "") },
          {
            label: "Per month",
            align: "end",
            cell: ({ option }) =>
              option ? (
                <span className="font-semibold">
                  {priceText(monthText(option.monthlyMicros, option.currency), option)}
                </span>
              ) : (
                <NoBalancerCost />
              ),
          },
          {
            label: "Per hour",
            align: "end",
            cell: ({ option }) => (option ? priceText(hourText(option.hourlyMicros, option.currency), option) : ""),
          },
          { label: "Range", cell: ({ option }) => (option ? <BandMark option={option} span={span} /> : "") },
          { label: "Cost driver", cell: ({ option }) => option?.dominantDimension ?? "" },
          {
            label: "Oldest price",
            cell: ({ option }) => (option ? <PriceAgeButton option={option} now={catalogue.now} /> : ""),
          },
          {
            label: "Compare",
            hidesLabel: true,
            screenOnly: true,
            cell: (row) => (row.option ? <CompareBox row={row} compare={compare} onCompare={props.onCompare} /> : ""),
          },
        ]}
      />
      <div className="print:hidden">
        <ShowMore total={ranked.length} first={shownFirst} all={showsAll} onChange={setShowsAll} />
      </div>
      <MissingPrices estimate={estimate} />
    </Section>
  );
});

function CompareBox(props: {
  row: Extract<RankedRow, { pin: unknown }>;
  compare: readonly string[];
  onCompare: (key: string) => void;
}) {
  const { row, compare, onCompare } = props;
  const isOn = compare.includes(row.key);
  return (
    <label className="touch-target flex w-fit">
      <Checkbox
        checked={isOn}
        disabled={!isOn && compare.length >= maxCompared}
        aria-label={`Compare ${row.option.product}, ${placeText(row.option)}`}
        onChange={() => onCompare(row.key)}
      />
    </label>
  );
}
