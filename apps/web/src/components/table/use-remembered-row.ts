"use client";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { TableParams } from "./table-params.ts";

const rememberMs = 350;

/** Keeps the first visible row in the URL, comes back to it, and returns to the top when the list is another. */
export function useRememberedRow({
  scrollRef,
  rowHeight,
  params,
  onParams,
  onNewList,
}: {
  scrollRef: RefObject<HTMLDivElement | null>;
  rowHeight: number;
  params: TableParams;
  onParams: (change: Partial<TableParams>) => void;
  onNewList: () => void;
}): void {
  const wanted = useRef(params.row);
  const isFirst = useRef(true);

  // A row is another height on a phone or when compact: keep the row, not the pixel.
  useLayoutEffect(() => {
    if (scrollRef.current && wanted.current > 0) scrollRef.current.scrollTop = wanted.current * rowHeight;
  }, [scrollRef, rowHeight]);

  const listKey = JSON.stringify([params.q, params.sort]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the list is another one
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    wanted.current = 0;
    scrollRef.current?.scrollTo({ top: 0 });
    onNewList();
  }, [listKey]);

  useEffect(() => {
    const element = scrollRef.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = () => {
      // The first row shown whole: from a row that is cut off, coming back would push the last one out of sight.
      const row = Math.ceil(element.scrollTop / rowHeight);
      if (row === wanted.current) return;
      wanted.current = row;
      onParams({ row });
    };
    const onScroll = () => {
      clearTimeout(timer);
      timer = setTimeout(remember, rememberMs);
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      element.removeEventListener("scroll", onScroll);
    };
  }, [scrollRef, rowHeight, onParams]);
}
