"use client";
import { type RefObject, startTransition, useEffect, useState } from "react";
import type { ChartData } from "../data/chart-data.ts";
import { drawSoon } from "./draw-queue.ts";

export type Drawing = { data: ChartData; from: number; to: number };

/**
 * useDrawn returns the data that a chart draws now: the latest that it was given, once its box is near the viewport and
 * its turn in the queue has come. A chart that is never scrolled into view is never drawn.
 */
export function useDrawn(box: RefObject<HTMLElement | null>, next: Drawing | null): Drawing | null {
  const [drawn, setDrawn] = useState<Drawing | null>(null);
  const isNear = useNearViewport(box);
  const { data, from, to } = next ?? {};
  useEffect(() => {
    if (!isNear || !data || from === undefined || to === undefined) return;
    return drawSoon(() => startTransition(() => setDrawn({ data, from, to })));
  }, [isNear, data, from, to]);
  return next ? drawn : null;
}

function useNearViewport(ref: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!ref.current || isNear) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: "300px",
      scrollMargin: "300px",
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [ref, isNear]);
  return isNear;
}
