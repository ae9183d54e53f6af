"use client";
import { parseAsString, useQueryState } from "nuqs";

/** The cluster that lists and metrics are filtered by; null for all. Stored in the URL as ?cluster= */
export function useClusterScope() {
  return useQueryState("cluster", parseAsString.withOptions({ history: "push" }));
}
