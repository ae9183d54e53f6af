import type { CostGroup } from "@fairlead/domain/cost";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { decimals } from "@/components/words/numbers.ts";
import { monthText } from "./calculator/money-text.ts";
import type { RunningGroup } from "./running-params.ts";
import { shareText } from "./share-text.ts";

export const groupNames: Record<RunningGroup, string> = {
  exposure: "exposure",
  cluster: "cluster",
  loadBalancer: "load balancer",
  label: "label",
};
const pages: Partial<Record<RunningGroup, string>> = {
  exposure: "/exposures",
  cluster: "/clusters",
  loadBalancer: "/load-balancers",
};

/** What each exposure, cluster, load balancer or label cost, and how much of it is known. */
export function CostTable({ items, by, currency }: { items: CostGroup[]; by: RunningGroup; currency: string }) {
  return (
    <RowsTable<CostGroup>
      label={`Cost by ${groupNames[by]}`}
      rows={items}
      rowKey={(group) => group.id ?? ""}
      stacks
      empty="No usage."
      columns={[
        { label: "Name", cell: (group) => <Name group={group} page={pages[by]} /> },
        { label: "Balancers", align: "end", cell: (group) => group.balancers },
        {
          label: "Balancer hours",
          align: "end",
          cell: ({ balancerHours }) => decimals(balancerHours, balancerHours < 10 ? 1 : 0),
        },
        {
          label: "Main item",
          cell: ({ breakdown: [first] }) => <span className="text-muted">{first ? first.item : "–"}</span>,
        },
        { label: "Known", align: "end", cell: (group) => shareText(group.knownShare) },
        { label: "Cost", align: "end", cell: (group) => <Amount group={group} currency={currency} /> },
      ]}
    />
  );
}

function Name({ group: { id, name }, page }: { group: CostGroup; page: string | undefined }) {
  if (!page) return <span className={id === null ? "text-muted" : "font-medium"}>{name}</span>;
  return (
    <TextLink href={`${page}/${id}`} className="font-medium">
      {name}
    </TextLink>
  );
}

function Amount({ group: { micros, knownShare }, currency }: { group: CostGroup; currency: string }) {
  if (micros === 0 && knownShare === 0) return <span className="text-muted">unknown</span>;
  return (
    <span>
      {knownShare < 0.995 ? <span className="text-muted">at least </span> : null}
      {monthText(micros, currency)}
    </span>
  );
}
