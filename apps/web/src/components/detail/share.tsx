import { count } from "@/components/words/numbers.ts";

/** A part of a whole, both as counts. */
export function Share({ part, total }: { part: number; total: number }) {
  return (
    <>
      {count(part)}
      <span className="font-normal text-lg text-muted"> of {count(total)}</span>
    </>
  );
}
