"use client";
import { useEffect, useState } from "react";

/** useFollowingPeek makes an open peek follow the active row, even if that row is still loading. */
export function useFollowingPeek(
  peek: string | null,
  rowIdAt: (index: number) => string | undefined,
  onParams: (change: { peek: string }) => void,
): { follow: (index: number) => void; stay: () => void } {
  const [awaited, setAwaited] = useState<number | null>(null);
  const arrived = awaited === null || peek === null ? undefined : rowIdAt(awaited);
  useEffect(() => {
    if (arrived === undefined) return;
    setAwaited(null);
    onParams({ peek: arrived });
  }, [arrived, onParams]);
  return { follow: setAwaited, stay: () => setAwaited(null) };
}
