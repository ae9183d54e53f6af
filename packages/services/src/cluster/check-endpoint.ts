import { invalid } from "@fairlead/domain";
import { endpointProblem } from "@fairlead/domain/cloud";
import type { ServiceContext } from "../context.ts";

/** checkEndpoint refuses an endpoint that must not be called. One that was allowed when it was set stays. */
export function checkEndpoint(
  ctx: ServiceContext,
  path: string[],
  endpoint: string | null,
  before: string | null | undefined,
): void {
  if (endpoint === null || endpoint === before) return;
  const problem = endpointProblem(endpoint, ctx.settings.cloudEndpoints ?? []);
  if (problem) throw invalid(path, `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`);
}
