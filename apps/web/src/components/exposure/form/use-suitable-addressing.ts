"use client";
import { useEffect } from "react";
import { findAddressing } from "./find-lacks.ts";
import type { ExposureForm } from "./use-exposure-form.ts";

/** useSuitableAddressing selects an addressing that the cluster can have, as the default can't be had everywhere. */
export function useSuitableAddressing({ draft, cluster, change }: ExposureForm): void {
  const addressing = cluster ? findAddressing(draft, cluster) : null;
  useEffect(() => {
    if (addressing) change({ addressing });
  }, [addressing, change]);
}
