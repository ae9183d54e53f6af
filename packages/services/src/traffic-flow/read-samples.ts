import type { ClientSample, TrafficFlow } from "@fairlead/domain/traffic-flow";
import { mayReadMap } from "../address-map/may-read.ts";
import type { ServiceContext } from "../context.ts";
import { selectSamples } from "./client-samples.sql.ts";

type Clients = Pick<TrafficFlow, "isSampled" | "problems"> & { samples: ClientSample[] };

/** readSamples returns the client networks of an exposure or of all, for an actor who may read addresses. */
export async function readSamples(ctx: ServiceContext, exposureId?: string): Promise<Clients> {
  if (!mayReadMap(ctx)) return { samples: [], isSampled: false, problems: [] };
  const samples = await selectSamples(ctx.db, ctx.organizationId, exposureId, ctx.now);
  const troubled = samples.filter((each) => each.problem !== "");
  const problems = [...Map.groupBy(troubled, (each) => each.problem)].map(
    ([problem, own]) => `${namesOf(own.map((each) => each.nodeName))}: ${problem}`,
  );
  return {
    samples,
    isSampled: samples.some((each) => each.networks.length > 0),
    problems: problems.slice(0, mostProblems),
  };
}

const mostProblems = 5;
const mostNames = 3;

function namesOf(nodeNames: readonly string[]): string {
  const names = [...new Set(nodeNames)].sort();
  const more = names.length - mostNames;
  return more > 0 ? `${names.slice(0, mostNames).join(", ")} and ${more} more` : names.join(", ");
}
