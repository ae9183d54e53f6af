"use client";
import { DomainError } from "@fairlead/domain";
import {
  type Catalogue,
  compileCatalogue,
  type Estimate,
  type EstimateRequest,
  estimateCosts,
  type PriceList,
  withBookRates,
} from "@fairlead/domain/cost";
import { useMemo, useState } from "react";
import { type Reading, readQuery } from "./read-query.ts";
import type { CalculatorParams } from "./search-params.ts";

/**
 * The prices that the page received, and the time of the page, so that the server and the browser calculate the same
 * ages.
 */
export type Prices = PriceList & { at: string; pricesOf: string; hasNewer: boolean; hasPriceBook: boolean };

export type Answer = { request: EstimateRequest; estimate: Estimate; catalogue: Catalogue };

/** useCatalogue compiles the prices once. A keystroke then only looks them up. */
export function useCatalogue({ points, machines, at }: Prices): Catalogue {
  return useMemo(() => compileCatalogue(points, { now: new Date(at), machines }), [points, machines, at]);
}

/**
 * useAnswer calculates the result in the browser, with the same function as the API. That takes a millisecond, so the
 * result appears with the keystroke; slow drawing is deferred. While the input is invalid, the last result stays and
 * the error is shown at its field.
 */
export function useAnswer(params: CalculatorParams, catalogue: Catalogue, { rates, pricesOf }: Prices) {
  const reading = useReading(params);
  // By its content: an equal query needs no new result.
  const whole = reading.request && { ...reading.request, rates: withBookRates(reading.request.rates, rates), pricesOf };
  const request = whole && JSON.stringify(whole);
  const [last, setLast] = useState(request);
  if (request !== null && request !== last) setLast(request);
  const question = request ?? last;
  const answered = useMemo(() => (question === null ? null : answer(question, catalogue)), [question, catalogue]);
  const problems: Record<string, string> =
    answered && "problem" in answered ? { ...reading.problems, [wholeForm]: answered.problem } : reading.problems;
  return { answer: answered && "estimate" in answered ? answered : null, problems };
}

/** The key of errors that belong to no field. */
export const wholeForm = "";

function useReading(params: CalculatorParams): Reading {
  return useMemo(() => readQuery(params), [params]);
}

function answer(question: string, catalogue: Catalogue): Answer | { problem: string } {
  // Serialised by this component a moment ago.
  const request = JSON.parse(question) as EstimateRequest;
  try {
    return { request, estimate: estimateCosts(request, catalogue), catalogue };
  } catch (error) {
    if (error instanceof DomainError) return { problem: error.message };
    throw error;
  }
}
