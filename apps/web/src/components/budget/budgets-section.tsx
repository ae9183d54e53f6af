"use client";
import type { Budget } from "@fairlead/domain/budget";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { monthText } from "@/components/cost/calculator/money-text.ts";
import { BookSection } from "@/components/cost/price-book/book-section.tsx";
import { allBudgets } from "@/components/cost/running-params.ts";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { useMay } from "@/components/frame/session.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { BudgetBar } from "./budget-bar.tsx";
import { BudgetForm } from "./budget-form.tsx";
import { budgetLook, forecastText, scopeText, spentText } from "./budget-words.ts";

const refreshEveryMs = 5 * 60_000;

/** The monthly budgets, with what is spent and the forecast. Members who may not read budgets don't see it. */
export function BudgetsSection() {
  return useMay("budget:read") ? <Budgets /> : null;
}

function Budgets() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery({
    ...trpc.budget.list.queryOptions(allBudgets),
    refetchInterval: useLiveInterval(refreshEveryMs),
  });
  const remove = useMutation(trpc.budget.delete.mutationOptions());
  return (
    <div className="px-4 pt-3 pb-6 md:px-6">
      <BookSection<Budget>
        title="Budgets"
        hint="of this month, in UTC"
        what="budget"
        permission="budget:write"
        empty="No budgets. Add a budget to see what is spent of it, and whether the forecast exceeds it."
        query={query}
        nameOf={({ name }) => name}
        description="An amount for each calendar month. A budget only warns: it never stops a load balancer."
        docs="budgets"
        form={(row, onDone) => <BudgetForm budget={row} onDone={onDone} />}
        consequence="It no longer warns. Costs are not affected."
        onDelete={async (row) => {
          await remove.mutateAsync({ id: row.id });
          await queryClient.invalidateQueries(trpc.budget.pathFilter());
          notify(`Deleted ${row.name}.`);
        }}
        columns={[
          {
            label: "Name",
            cell: (budget) => (
              <>
                <span className="font-medium">{budget.name}</span>
                <span className="ml-2 text-muted text-xs">{scopeText(budget)}</span>
              </>
            ),
          },
          { label: "State", wraps: true, cell: (budget) => <BudgetState budget={budget} /> },
          { label: "This month", className: "w-56", cell: (budget) => <BudgetBar budget={budget} /> },
          { label: "Spent", align: "end", cell: spentText },
          { label: "Forecast", align: "end", cell: forecastText },
          { label: "Budget", align: "end", cell: ({ amountMicros, currency }) => monthText(amountMicros, currency) },
        ]}
      />
    </div>
  );
}

/** An unknown cost has the first reason next to it; the table of costs on this page has all of them. */
function BudgetState({ budget }: { budget: Budget }) {
  const reason = budget.status?.state === "unknown" ? budget.status.reasons[0] : null;
  return (
    <>
      <StatusBadge status={budgetLook(budget)} />
      {reason ? <span className="block max-w-prose text-muted text-xs">{reason}</span> : null}
    </>
  );
}
