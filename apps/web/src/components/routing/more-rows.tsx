import { countOf } from "@/components/words/numbers.ts";

/** A table is never shown whole when it is long: an address finds its rows. */
export function MoreRows({ page, shown, noun }: { page: { total: number } | undefined; shown: number; noun: string }) {
  if (!page || page.total <= shown) return null;
  return (
    <p className="pt-2 text-muted text-sm">
      The first {shown} of {countOf(page.total, noun)}. Look up an address to see those that hold it.
    </p>
  );
}
