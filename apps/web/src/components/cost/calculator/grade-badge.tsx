import type { CostOption } from "@fairlead/domain/cost";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { gradeLooks } from "./words.ts";

/** The grade of an option by word, shape and colour, or that it doesn't fit. */
export function GradeBadge({ grade }: Pick<CostOption, "grade">) {
  return <StatusBadge status={gradeLooks[grade ?? "misfit"]} className="text-xs" />;
}
