import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createEnrollmentToken, ensureAuthority, type ServiceContext } from "@fairlead/services";
import { checkIdentity, moveAway } from "../start/local-agent.ts";

/** The agents of demo-topology.yaml and their nodes. */
const agents: Record<string, string> = {
  lab: "lab",
  router: "router",
  "rr-1": "rr-1",
  "rr-2": "rr-2",
  "node-1": "node-1",
  "node-2": "node-2",
  "node-1.backend": "node-1",
  "node-2.backend": "node-2",
  "node-1.adaptive": "node-1",
  "node-2.adaptive": "node-2",
  "lb-1": "node-1",
  "lb-2": "node-2",
  "lb-1.speaker": "node-1",
  "lb-2.speaker": "node-2",
};

/** Elsewhere is another cluster, to which some nodes of the lab belong. name: of that cluster in the topology. */
export type Elsewhere = { clusterId: string; name: string; nodes: string[] };

/** enrollLabAgents writes an enrolment token for each agent of the lab without a valid identity. */
export async function enrollLabAgents(
  ctx: ServiceContext,
  clusterId: string,
  { tokens, identities, elsewhere }: { tokens: string; identities: string; elsewhere?: Elsewhere | undefined },
): Promise<void> {
  const authority = await ensureAuthority(ctx.db, ctx.settings.secret, ctx.now);
  rmSync(tokens, { recursive: true, force: true });
  mkdirSync(tokens, { recursive: true, mode: 0o700 });
  const reporter = elsewhere ? { [`lab.${elsewhere.name}`]: "lab" } : {};
  for (const [agent, nodeName] of Object.entries({ ...agents, ...reporter })) {
    const isElsewhere = agent in reporter || elsewhere?.nodes.includes(nodeName);
    const state = path.join(identities, agent);
    if ((await checkIdentity(ctx.db, state, authority.der, ctx.now)) === "valid") continue;
    moveAway(state);
    const { token } = await createEnrollmentToken(ctx, {
      clusterId: elsewhere && isElsewhere ? elsewhere.clusterId : clusterId,
      nodeName,
      expiresInMinutes: 60,
    });
    writeFileSync(path.join(tokens, agent), `${token}\n`, { mode: 0o600 });
  }
}
