"use client";
import {
  type Catalogue,
  compileCatalogue,
  DomainError,
  type Estimate,
  type EstimateAsked,
  estimateCosts,
  type PriceList,
  withBookRates,
} from "@fairlead/domain";
import { useMemo, useState } from "react";
import { type Reading, readAsked } from "./read-asked.ts";
import type { CalculatorParams } from "./search-params.ts";

/** Prices are what the page was given; at is the moment it was, so that the server and the browser find them as old. */
export type Prices = PriceList & { at: string; pricesOf: string; hasNewer: boolean };

export type Answer = { asked: EstimateAsked; estimate: Estimate; catalogue: Catalogue };

/** useCatalogue compiles the prices once: a keystroke only looks them up. */
export function useCatalogue({ points, machines, at }: Prices): Catalogue {
  return useMemo(() => compileCatalogue(points, { now: new Date(at), machines }), [points, machines, at]);
}

/**
 * useAnswer reckons what the form asks, by the same function as the API. That takes a millisecond, so the answer comes
 * with the key itself; what takes longer to draw trails it. While something is wrong with the question, the answer to the last one stays, and the problem is told at its field.
 */
export function useAnswer(params: CalculatorParams, catalogue: Catalogue, { rates, pricesOf }: Prices) {
  const reading = useReading(params);
  // By what it says: a new question that is the same needs no new answer.
  const whole = reading.asked && { ...reading.asked, rates: withBookRates(reading.asked.rates, rates), pricesOf };
  const asked = whole && JSON.stringify(whole);
  const [last, setLast] = useState(asked);
  if (asked !== null && asked !== last) setLast(asked);
  const question = asked ?? last;
  const answered = useMemo(() => (question === null ? null : answer(question, catalogue)), [question, catalogue]);
  const problems: Record<string, string> =
    answered && "problem" in answered ? { ...reading.problems, [wholeForm]: answered.problem } : reading.problems;
  return { answer: answered && "estimate" in answered ? answered : null, problems };
}

/** Where a problem stands that is of no field. */
export const wholeForm = "";

function useReading(params: CalculatorParams): Reading {
  return useMemo(() => readAsked(params), [params]);
}

function answer(question: string, catalogue: Catalogue): Answer | { problem: string } {
  // Serialised by ourselves a moment ago.
  const asked = JSON.parse(question) as EstimateAsked;
  try {
    return { asked, estimate: estimateCosts(asked, catalogue), catalogue };
  } catch (error) {
    if (error instanceof DomainError) return { problem: error.message };
    throw error;
  }
}
