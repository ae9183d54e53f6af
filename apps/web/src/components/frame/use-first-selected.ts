"use client";
import { useState } from "react";

/**
 * useFirstSelected selects the first of what is found until somebody moves on from it. Left to itself the palette keeps
 * what was first before the search had answered, or what is gone by then, and Enter does nothing.
 */
export function useFirstSelected(wanted: string, values: readonly string[]) {
  const [moved, setMoved] = useState<{ wanted: string; value: string } | null>(null);
  const first = values[0] ?? "";
  const stays = moved !== null && moved.wanted === wanted && values.includes(moved.value);
  return {
    value: stays ? moved.value : first,
    onValueChange: (value: string) => setMoved(value === first ? null : { wanted, value }),
  };
}
