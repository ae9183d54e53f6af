import type { ExperimentDetail } from "@fairlead/domain/experiment";
import { lineStyle } from "@/components/charts/plot/line-style.ts";
import { count } from "@/components/words/numbers.ts";
import { laySettling } from "./lay-settling.ts";

const barsHeight = 88;

/** CSS display values remove the table roles, so the roles are set explicitly. */
const roles = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  rowheader: { role: "rowheader" },
  cell: { role: "cell" },
} as const;

/** A histogram of settle times, from the control plane's change until all routes of all routers have followed. */
export function SettlingBars({ delays }: { delays: ExperimentDetail["delays"] }) {
  const bars = laySettling(delays);
  if (bars.length === 0) return <p className="py-2 text-muted text-sm">No change has settled yet.</p>;
  return (
    <table {...roles.table} className="tabular block w-full max-w-3xl text-xs" aria-label="Settle times">
      <thead className="sr-only">
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Changes</th>
        </tr>
      </thead>
      <tbody {...roles.rowgroup} className="flex items-end gap-1">
        {bars.map((bar) => (
          <tr {...roles.row} key={bar.label} className="flex min-w-0 flex-1 flex-col-reverse">
            <th
              {...roles.rowheader}
              scope="row"
              className="truncate border-line-strong border-t pt-1 text-center font-normal text-muted"
            >
              {bar.label}
            </th>
            <td {...roles.cell} className="flex flex-col justify-end text-center" style={{ height: barsHeight }}>
              {bar.count > 0 ? <span>{count(bar.count)}</span> : <span className="sr-only">0</span>}
              <span
                aria-hidden
                className="block rounded-t-sm"
                style={{ height: `${bar.share * 75}%`, background: lineStyle(0).colour }}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
