"use client";
import { type RefCallback, useCallback, useState } from "react";
import type { Density } from "./table-params.ts";

const serverHeights: Record<Density, number> = { comfortable: 40, compact: 30 };

/**
 * useRowHeight reads the --row property of a table, which the style sheet sets by density and width. It reads after the
 * layout, because an earlier read would force a layout of the whole page.
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
