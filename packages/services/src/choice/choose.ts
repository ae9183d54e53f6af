import { createHash } from "node:crypto";
import { DomainError, invalid, notFound } from "@fairlead/domain";
import {
  type Candidate,
  type Choice,
  type Choose,
  mostCandidates,
  rankCandidates,
  requirementNames,
  settleWinner,
  stateText,
  usualHysteresis,
} from "@fairlead/domain/choice";
import { authorize, type ServiceContext } from "../context.ts";
import { gatherCandidates, type Scope } from "./gather.ts";
import { choicePermissions } from "./permissions.ts";

/** A clock of a caller may be ahead by so much. */
const clockSkewMs = 60_000;

/** choose ranks clusters or exposures by requirements, with the evidence for each. */
export async function choose(ctx: ServiceContext, input: Choose): Promise<Choice> {
  await checkChoice(ctx, input);
  return makeChoice(await gatherCandidates(ctx, scopeOf(input)), input, ctx.now);
}

/** checkChoice refuses an actor without permission, and a request about what doesn't exist. */
export async function checkChoice(ctx: ServiceContext, input: Choose): Promise<void> {
  for (const permission of choicePermissions) authorize(ctx, permission);
  const { db, organizationId, now } = ctx;
  const { clusterId, from } = input;
  for (const [at, { measuredAt }] of input.measured.entries())
    if (measuredAt.getTime() > now.getTime() + clockSkewMs)
      throw invalid(["measured", at, "measuredAt"], "This is in the future: check the clock of the caller.");
  if (from !== undefined && (await db.node.count({ where: { id: from, organizationId } })) === 0)
    throw notFound("node", from, ["from"]);
  if (clusterId !== undefined && (await db.cluster.count({ where: { id: clusterId, organizationId } })) === 0)
    throw notFound("cluster", clusterId, ["clusterId"]);
}

export function scopeOf({ among, clusterId, from, currency, maxAgeSeconds, requirements }: Choose): Scope {
  const asked = new Set(requirementNames.filter((name) => requirements[name] !== undefined));
  return { among, clusterId, from, currency, maxAgeSeconds, asked };
}

/** makeChoice ranks candidates whose facts are known, and settles the winner. */
export function makeChoice(candidates: readonly Candidate[], input: Choose, now: Date): Choice {
  if (candidates.length > mostCandidates)
    throw new DomainError(
      "exhausted",
      `There are more than ${mostCandidates} ${input.among}, which can't be ranked at once: choose in one cluster, by clusterId.`,
      { fields: [{ path: ["clusterId"], message: "choose one cluster" }] },
    );
  const ranked = rankCandidates(withMeasured(candidates, input), { ...input, now });
  const { among, limit, hysteresis = usualHysteresis } = input;
  const { settled, winner, reason } = settleWinner(ranked, hysteresis, input.previous, now);
  const named = winner && { id: winner.id, name: winner.name };
  const text = stateText({ among, winner: named, items: ranked });
  return {
    ...{ at: now, among, settled, winner: named, reason, hysteresis },
    state: createHash("sha256").update(text).digest("base64url").slice(0, 16),
    candidateCount: ranked.length,
    eligibleCount: ranked.filter(({ isEligible }) => isEligible).length,
    items: ranked.slice(0, limit),
  };
}

/** What the caller measured counts instead of what agents did. */
function withMeasured(candidates: readonly Candidate[], { measured }: Choose): readonly Candidate[] {
  if (measured.length === 0) return candidates;
  const byId = new Map(measured.map((each) => [each.id, each]));
  return candidates.map((each) => {
    const own = byId.get(each.id);
    if (!own) return each;
    const latencyMsP99 = { value: own.latencyMsP99, source: "Measured by the caller", at: own.measuredAt };
    return { ...each, facts: { ...each.facts, latencyMsP99 } };
  });
}
