import { TextLink } from "@/components/ui/text-link.tsx";
import { count } from "@/components/words/numbers.ts";

/** To the whole list, when a page shows only its beginning. */
export function AllLink({ href, total, shown }: { href: string; total: number | undefined; shown: number }) {
  if (total === undefined || total <= shown) return null;
  return (
    <TextLink href={href} className="text-accent text-sm">
      All {count(total)}
    </TextLink>
  );
}
