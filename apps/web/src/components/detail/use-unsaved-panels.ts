"use client";
import { useSyncExternalStore } from "react";
import { onUnsaved, unsavedPanels } from "../ui/form/unsaved.ts";

/** useUnsavedPanels returns the panels that have input which is not saved. */
export function useUnsavedPanels(): readonly string[] {
  return useSyncExternalStore(onUnsaved, unsavedPanels, unsavedPanels);
}
