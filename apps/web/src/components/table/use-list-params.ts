"use client";
import { type ParserMap, useQueryStates } from "nuqs";
import type { TableParams } from "./table-params.ts";

export type ChangeTable = (change: Partial<TableParams>, options?: { history?: "push" | "replace" }) => unknown;

/** useListParams is the URL state of a list, and the part that its table changes. */
export function useListParams<Parsers extends ParserMap>(parsers: Parsers) {
  const [params, setParams] = useQueryStates(parsers);
  return [params, setParams, tablePart(setParams)] as const;
}

/** A table has its sort column as a string. The URL parser validates it, so the cast is safe. */
function tablePart(setParams: unknown): ChangeTable {
  return setParams as ChangeTable;
}
