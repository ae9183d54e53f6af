"use client";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { TableParams } from "./table-params.ts";

const rememberMs = 350;

/** Keeps the first visible row in the URL, restores it, and scrolls to the top when the list changes. */
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

  // The row height depends on screen and density, so the row is stored and not the pixel offset.
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
      // The first fully visible row. With a partly visible row, restoring would push the last row out of view.
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
