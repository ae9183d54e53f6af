"use client";
import { Button } from "../action/button.tsx";

/** Below a truncated list: shows all rows, or the first again. */
export function ShowMore(props: { total: number; first: number; all: boolean; onChange: (all: boolean) => void }) {
  const { total, first, all } = props;
  if (total <= first) return null;
  return (
    <Button size="sm" className="mt-2" aria-expanded={all} onClick={() => props.onChange(!all)}>
      {all ? "Show fewer" : `Show ${total - first} more`}
    </Button>
  );
}
