"use client";
import { useCallback } from "react";
import type { PageQuery } from "./use-list-window.ts";

/** usePageQuery ties what a list is asked to the page it is asked for; it changes only when the question does. */
export function usePageQuery<Input extends object, Row>(
  input: Input,
  query: (input: Input & { offset: number; limit: number }) => PageQuery<Row>,
): (offset: number, limit: number) => PageQuery<Row> {
  const question = JSON.stringify(input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the input is made anew at every render, its question says whether it is another
  return useCallback((offset, limit) => query({ ...input, offset, limit }), [question]);
}
