"use client";
import { useCallback } from "react";
import type { PageQuery } from "./use-list-window.ts";

/** usePageQuery combines a list query with a page. It changes only when the query does. */
export function usePageQuery<Input extends object, Row>(
  input: Input,
  query: (input: Input & { offset: number; limit: number }) => PageQuery<Row>,
): (offset: number, limit: number) => PageQuery<Row> {
  const question = JSON.stringify(input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the input is a new object at every render, so its key decides whether it has changed
  return useCallback((offset, limit) => query({ ...input, offset, limit }), [question]);
}
