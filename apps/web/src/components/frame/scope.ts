"use client";
import { parseAsString, useQueryState } from "nuqs";

/** The cluster that lists and figures are narrowed to; null is all of them. It lives in the URL as ?cluster= */
export function useClusterScope() {
  return useQueryState("cluster", parseAsString.withOptions({ history: "push" }));
}
