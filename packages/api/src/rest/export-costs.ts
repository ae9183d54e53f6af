import { csvLine } from "@fairlead/domain";
import {
  type BalancerCosts,
  type CostFormat,
  costColumns,
  costRows,
  exportCosts as exportCostsInput,
  focusColumns,
  focusRows,
} from "@fairlead/domain/cost";
import * as services from "@fairlead/services";
import { z } from "zod";
import type { ApiContext } from "../context.ts";
import { compileOperation } from "./operation.ts";
import { readFileInput } from "./read-file-input.ts";
import { streamFile } from "./stream-file.ts";

const formats: Record<CostFormat, { columns: string[]; rows: (costs: BalancerCosts) => string[][] }> = {
  csv: { columns: costColumns, rows: costRows },
  focus: { columns: focusColumns, rows: focusRows },
};

/** The export is no procedure, because its answer is a stream, but it takes its input like one. */
export const costExport = compileOperation(
  {
    id: "cost.export",
    type: "query",
    meta: { permission: ["exposure:read", "series:read"] },
    input: exportCostsInput,
    output: z.string(),
  },
  { method: "GET", path: "/costs/export", summary: "Export what load balancers cost", tag: "Costs" },
);

/** exportCosts answers with the costs of each load balancer, one after the other. */
export async function exportCosts(ctx: ApiContext, request: Request, url: URL): Promise<Response> {
  const { actor, organizationId } = await ctx.identify();
  const service = { ...ctx, actor, organizationId };
  const input = readFileInput(costExport, exportCostsInput, url.searchParams);
  const { columns, rows } = formats[input.format];
  const name = input.format === "focus" ? "costs-focus" : "costs";
  return streamFile(service, request, {
    operation: costExport,
    mediaType: "text/csv; charset=utf-8",
    name: `${name}-${organizationId}-${ctx.now.toISOString().slice(0, 10)}.csv`,
    head: csvLine(columns),
    parts: linesOf(services.exportCosts(service, input), rows),
  });
}

async function* linesOf(
  pages: services.CostPages,
  rows: (costs: BalancerCosts) => string[][],
): AsyncGenerator<string, void> {
  for await (const costs of pages) yield rows(costs).map(csvLine).join("");
}
