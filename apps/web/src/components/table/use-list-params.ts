"use client";
import { type ParserMap, useQueryStates } from "nuqs";
import type { TableParams } from "./table-params.ts";

export type ChangeTable = (change: Partial<TableParams>, options?: { history?: "push" | "replace" }) => unknown;

/** useListParams is the URL state of a list, and the part of it that its table changes. */
export function useListParams<Parsers extends ParserMap>(parsers: Parsers) {
  const [params, setParams] = useQueryStates(parsers);
  return [params, setParams, tablePart(setParams)] as const;
}

/** A table knows its sort as a word. That it is one of this list's is checked when the URL is read, so the cast is safe. */
function tablePart(setParams: unknown): ChangeTable {
  return setParams as ChangeTable;
}
