"use client";
import { useState } from "react";

/**
 * useFirstSelected selects the first result until the user selects another. By default, the palette keeps an outdated
 * selection from before the search results, so Enter would do nothing.
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
