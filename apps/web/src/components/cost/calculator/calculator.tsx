"use client";
import "./calculator.css";
import { useQueryStates } from "nuqs";
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { Advice, AdviceLink } from "./advice.tsx";
import { BreakEvenSection } from "./break-even-section.tsx";
import { detailsIn, modeOf } from "./form-mode.ts";
import { FromExposure } from "./from-exposure.tsx";
import { GrowthSection } from "./growth-section.tsx";
import { HowCalculated } from "./how-calculated.tsx";
import { InputSummary } from "./input-summary.tsx";
import { ModeChoice } from "./mode-choice.tsx";
import { PlaceForm } from "./place-form.tsx";
import { PresetList } from "./preset-list.tsx";
import type { Preset } from "./presets.ts";
import { PricesNote } from "./prices-note.tsx";
import { ProfileForm, type SetParams } from "./profile-form.tsx";
import { Ranking } from "./ranking.tsx";
import { calculatorParams, maxCompared, numberFields, paramsOf, type ShownGrade } from "./search-params.ts";
import { ShareActions } from "./share-actions.tsx";
import { SideBySide } from "./side-by-side.tsx";
import { spokenAdvice } from "./spoken-advice.ts";
import { type Answer, type Prices, useAnswer, useCatalogue, wholeForm } from "./use-answer.ts";

/** The cost of every kind of load balancer for a traffic profile, with a recommendation. All state is in the URL. */
export function Calculator({ prices, isOwn, notKept }: { prices: Prices; isOwn: boolean; notKept: boolean }) {
  const [params, setQuery] = useQueryStates(calculatorParams, { history: "replace" });
  const { pricesOf } = prices;
  // Once there is an input, the URL contains the date of the prices, so that a shared link shows the same result.
  const setParams = useCallback<SetParams>(
    (change) => void setQuery({ prices: pricesOf, ...change }),
    [setQuery, pricesOf],
  );
  const takeNewest = useCallback(() => void setQuery({ prices: null }, { shallow: false }), [setQuery]);
  const catalogue = useCatalogue(prices);
  const currencies = useMemo(() => [...new Set(prices.points.map(({ currency }) => currency))].sort(), [prices]);
  const { answer, problems } = useAnswer(params, catalogue, prices);
  const trailing = useDeferredValue(answer);
  const { providers, regions, constraints, currency, rates } = params;
  const places = useMemo(
    () => ({ providers, regions, constraints, currency, rates }),
    [providers, regions, constraints, currency, rates],
  );
  const isStart = numberFields.every((field) => params[field] === "");
  const choose = useCallback((preset: Preset) => setParams(paramsOf(preset)), [setParams]);
  const { compare } = params;
  const toggle = useCallback(
    (key: string) =>
      setParams({
        compare: compare.includes(key)
          ? compare.filter((each) => each !== key)
          : [...compare, key].slice(0, maxCompared),
      }),
    [compare, setParams],
  );
  const mode = modeOf(params);
  const setGrades = useCallback((grades: ShownGrade[] | null) => setParams({ grades }), [setParams]);
  const setEveryRegion = useCallback((everyRegion: boolean) => setParams({ everyRegion }), [setParams]);

  return (
    <div className="calculator">
      <PageHeader
        title="Load balancer costs"
        sentence="For your traffic, at every provider and on your own machines, with the date and source of each price."
        actions={<ShareActions answer={answer} />}
      />
      <div className="flex flex-col gap-2 px-4 pb-4 md:px-6">
        {isStart ? <p className="text-sm">Start with an example, or enter your own traffic.</p> : null}
        <PresetList params={params} isStart={isStart} onChoose={choose} />
        {isOwn ? <FromExposure setParams={setParams} /> : null}
        <PricesNote
          prices={prices}
          dates={isStart ? null : (answer?.estimate.priceDates ?? null)}
          isOwn={isOwn}
          notKept={notKept}
          onTakeNewest={takeNewest}
        />
        {answer && !isStart ? <AdviceLink answer={answer} /> : null}
      </div>
      <div className="grid items-start gap-x-8 gap-y-6 px-4 pb-10 md:px-6 lg:grid-cols-[20rem_minmax(0,1fr)] print:block">
        <form
          aria-label="Your traffic"
          className="min-w-0 border-t print:hidden"
          onSubmit={(event) => event.preventDefault()}
        >
          <ModeChoice mode={mode} details={detailsIn(params)} onChoose={(mode) => setParams({ mode })} />
          <ProfileForm mode={mode} params={params} problems={problems} setParams={setParams} />
          <PlaceForm
            params={places}
            problem={problems.regions ?? problems.providers}
            catalogue={catalogue}
            currencies={currencies}
            bookRates={prices.rates}
            setParams={setParams}
            isDetailed={mode === "detailed"}
          />
        </form>
        <div className="flex min-w-0 flex-col gap-8">
          {problems[wholeForm] ? (
            <p role="alert" className="text-bad text-sm">
              {problems[wholeForm]}
            </p>
          ) : null}
          {answer && Object.keys(problems).length > 0 && !isStart ? (
            <p className="text-sm text-warn">The result is for the previous input: the form has an error.</p>
          ) : null}
          {answer && !isStart ? (
            <>
              <InputSummary request={answer.request} dates={answer.estimate.priceDates} />
              <Advice answer={answer} setParams={setParams} />
              <Ranking
                answer={answer}
                everyRegion={params.everyRegion}
                grades={params.grades}
                compare={compare}
                onCompare={toggle}
                onEveryRegion={setEveryRegion}
                onGrades={setGrades}
              />
              <SideBySide answer={trailing ?? answer} compare={compare} onCompare={toggle} />
              <BreakEvenSection answer={answer} compare={compare} />
              <GrowthSection answer={answer} compare={compare} />
            </>
          ) : (
            <HowCalculated prices={prices} />
          )}
        </div>
      </div>
      <Spoken answer={isStart ? null : answer} />
    </div>
  );
}

const quietMs = 800;

/** The recommendation for screen readers, once typing has paused. */
function Spoken({ answer }: { answer: Answer | null }) {
  const [announcement, setAnnouncement] = useState("");
  const sentence = answer ? spokenAdvice(answer) : "";
  useEffect(() => {
    const timer = setTimeout(() => setAnnouncement(sentence), quietMs);
    return () => clearTimeout(timer);
  }, [sentence]);
  return (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  );
}
