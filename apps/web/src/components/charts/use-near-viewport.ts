"use client";
import { type RefObject, useEffect, useState } from "react";

/** useNearViewport turns true, for good, when a box is about to be seen: what nobody scrolls to is never drawn. */
export function useNearViewport(ref: RefObject<HTMLElement | null>): boolean {
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
