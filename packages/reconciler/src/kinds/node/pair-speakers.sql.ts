import type { Tx } from "@fairlead/db";

/**
 * pairSpeakers returns the balancer that each speaker of a node runs next to: the one with its address. Pods of one
 * node have their own networks, so there may be several pairs. Where there is only one of each, they are a pair.
 */
export async function pairSpeakers(
  tx: Tx,
  agents: readonly { id: string; roles: string[] }[],
): Promise<Map<string, string>> {
  const of = (role: string) => agents.filter((each) => each.roles.includes(role)).map((each) => each.id);
  const [speakers, balancers] = [of("speaker"), of("balancer")];
  const [only] = balancers;
  if (speakers.length === 1 && only && balancers.length === 1) return new Map([[speakers[0] ?? "", only]]);
  const rows = await tx.$queryRaw<{ speakerId: string; balancerId: string }[]>`
    SELECT speaker.agent_id AS "speakerId", balancer.agent_id AS "balancerId"
    FROM bgp_status speaker JOIN balancer_status balancer ON balancer.address = speaker.address
    WHERE speaker.address <> '' AND speaker.agent_id = ANY(${speakers}::text[]) AND balancer.agent_id = ANY(${balancers}::text[])`;
  return new Map(rows.map((each) => [each.speakerId, each.balancerId]));
}
