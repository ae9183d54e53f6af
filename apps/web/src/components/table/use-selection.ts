"use client";
import { useMemo, useState } from "react";

export type Selection = {
  size: number;
  ids: () => string[];
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  add: (ids: readonly string[]) => void;
  clear: () => void;
};

/** The rows picked for an action. Not in the URL: a link must never carry what somebody was about to delete. */
export function useSelection(): Selection {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  return useMemo(
    () => ({
      size: picked.size,
      ids: () => [...picked],
      has: (id) => picked.has(id),
      toggle: (id) =>
        setPicked((before) => {
          const next = new Set(before);
          if (!next.delete(id)) next.add(id);
          return next;
        }),
      add: (ids) => setPicked((before) => new Set([...before, ...ids])),
      clear: () => setPicked(new Set()),
    }),
    [picked],
  );
}
