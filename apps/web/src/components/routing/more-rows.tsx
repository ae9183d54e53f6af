import { countOf } from "@/components/words/numbers.ts";

/** A long table is truncated. Looking up an address filters its rows. */
export function MoreRows({ page, shown, noun }: { page: { total: number } | undefined; shown: number; noun: string }) {
  if (!page || page.total <= shown) return null;
  return (
    <p className="pt-2 text-muted text-sm">
      The first {shown} of {countOf(page.total, noun)}. Look up an address to see its rows.
    </p>
  );
}
