"use client";
import { type RefCallback, useCallback, useState } from "react";
import type { Density } from "./table-params.ts";

const serverHeights: Record<Density, number> = { comfortable: 40, compact: 30 };

/**
 * useRowHeight reads --row of a table, which the style sheet sets by density and by the room there is. It is read when
 * the browser has laid the table out: to ask earlier would have it lay out the whole page for the answer.
 */
export function useRowHeight(density: Density): { rowHeight: number; heightRef: RefCallback<HTMLElement> } {
  const [read, setRead] = useState({ density, height: serverHeights[density] });
  const heightRef = useCallback(
    (table: HTMLElement | null) => {
      if (!table) return;
      const observer = new ResizeObserver(() => {
        const height = Number.parseFloat(getComputedStyle(table).getPropertyValue("--row"));
        if (height > 0)
          setRead((before) => (before.density === density && before.height === height ? before : { density, height }));
      });
      observer.observe(table);
      return () => observer.disconnect();
    },
    [density],
  );
  return { rowHeight: read.density === density ? read.height : serverHeights[density], heightRef };
}
