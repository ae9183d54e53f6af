"use client";
import { type RefObject, useLayoutEffect, useState } from "react";
import type { Density } from "./table-params.ts";

const serverHeights: Record<Density, number> = { comfortable: 40, compact: 30 };

/** useRowHeight reads --row, which the style sheet sets by density and by the room there is. */
export function useRowHeight(table: RefObject<HTMLElement | null>, density: Density): number {
  const [height, setHeight] = useState(serverHeights[density]);
  useLayoutEffect(() => {
    const element = table.current;
    if (!element) return;
    const read = () => {
      if (element.dataset.density !== density) return;
      const pixels = Number.parseFloat(getComputedStyle(element).getPropertyValue("--row"));
      if (pixels > 0) setHeight(pixels);
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  });
  return height;
}
