import { TextLink } from "@/components/ui/action/text-link.tsx";
import { count } from "@/components/words/numbers.ts";

/** A link to the full list, for pages that show its first rows only. */
export function AllLink({ href, total, shown }: { href: string; total: number | undefined; shown: number }) {
  if (total === undefined || total <= shown) return null;
  return (
    <TextLink href={href} className="text-accent text-sm">
      All {count(total)}
    </TextLink>
  );
}
