import { Button } from "@/components/ui/action/button.tsx";
import { count, countOf } from "@/components/words/numbers.ts";

/** The page buttons below a table. */
export function PageTurner(props: {
  page: { total: number } | undefined;
  offset: number;
  limit: number;
  noun: string;
  turn: (offset: number) => void;
}) {
  const { page, offset, limit, noun, turn } = props;
  if (!page || (page.total <= limit && offset === 0)) return null;
  const last = Math.min(page.total, offset + limit);
  return (
    <nav aria-label={`Pages of ${noun}s`} className="flex flex-wrap items-center gap-2 pt-3">
      <Button size="sm" disabled={offset === 0} onClick={() => turn(Math.max(0, offset - limit))}>
        Previous page
      </Button>
      <Button size="sm" disabled={last >= page.total} onClick={() => turn(offset + limit)}>
        Next page
      </Button>
      <span className="tabular text-muted text-sm">
        {last > offset ? `${count(offset + 1)} to ${count(last)} of ` : "None of the "}
        {countOf(page.total, noun)}
      </span>
    </nav>
  );
}
