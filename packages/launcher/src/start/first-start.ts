import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Db, openDb } from "@fairlead/db";
import {
  createCluster,
  createEnrollmentToken,
  ensureAuthority,
  ensureFirstOwner,
  type ServiceContext,
} from "@fairlead/services";
import type { Settings } from "../settings.ts";
import { checkIdentity, identityFile, moveAway } from "./local-agent.ts";
import type { LaunchConfig } from "./programs.ts";

/**
 * Fleet is the result of preparing a start. noAgent is the reason why this machine runs no agent,
 * if a user removed it.
 */
export type Fleet = { signIn: string; agentToken: string | null; noAgent: string | null };

export const localCluster = "local";

/** prepareFleet creates what the first start needs: an owner, a cluster for this machine, and a token for its agent. */
export async function prepareFleet(config: LaunchConfig, settings: Settings, withAgent: boolean): Promise<Fleet> {
  const db = openDb(config.databaseUrl, { connections: 2, applicationName: "fairlead-launcher" });
  try {
    // First, because this rejects a wrong secret, with which the controller can't run.
    const authority = await ensureAuthority(db, config.secret, new Date());
    const signIn = await prepareOwner(db, settings);
    const ctx = await launcherContext(db, config);
    if (!ctx || !withAgent) return { signIn, agentToken: null, noAgent: null };
    return { signIn, ...(await enrollThisMachine(ctx, config.agentState, authority.der)) };
  } finally {
    await db.$disconnect();
  }
}

/** launcherContext lets the launcher act in the first organisation under its own name; null without an organisation. */
export async function launcherContext(db: Db, config: LaunchConfig): Promise<ServiceContext | null> {
  const organization = await db.organization.findFirst({ orderBy: { createdAt: "asc" } });
  if (!organization) return null;
  return {
    db,
    actor: { kind: "system", id: "launcher", name: "npm start" },
    organizationId: organization.id,
    now: new Date(),
    settings: { url: config.url, gatewayUrl: config.gatewayUrl, secret: config.secret },
  };
}

async function prepareOwner(db: Db, { admin, dataFolder }: Settings): Promise<string> {
  const file = path.join(dataFolder, "first-owner.txt");
  const wanted = admin ?? { email: "owner@fairlead.local", password: randomBytes(12).toString("base64url") };
  const isCreated = await ensureFirstOwner({ db, ...wanted, name: "Owner" });
  if (isCreated && !admin) {
    writeFileSync(file, `${wanted.email}\n${wanted.password}\n`, { mode: 0o600 });
    return `Sign in as ${wanted.email} with the password ${wanted.password}\n(kept in ${file}; change it under Settings)`;
  }
  if (admin)
    return `Sign in as ${admin.email}${isCreated ? " with the password from FAIRLEAD_ADMIN_PASSWORD." : " or with any other existing account."}`;
  if (!existsSync(file)) return "Sign in with your existing account.";
  const [email] = readFileSync(file, "utf8").split("\n");
  return `Sign in as ${email}; the initial password is in ${file}.`;
}

/** enrollThisMachine creates a token if the agent has no identity. An agent that a user removed stays removed. */
async function enrollThisMachine(
  ctx: ServiceContext,
  agentState: string,
  authorityDer: Buffer,
): Promise<Omit<Fleet, "signIn">> {
  const identity = await checkIdentity(ctx.db, agentState, authorityDer, ctx.now);
  if (identity === "valid") return { agentToken: null, noAgent: null };
  if (identity === "missing") {
    moveAway(agentState);
    return { agentToken: await tokenForThisMachine(ctx), noAgent: null };
  }
  const what = identity === "revoked" ? "its agent was revoked" : "its node was deleted";
  const fix = `To enrol it again, remove ${identityFile(agentState)} and start again.`;
  return { agentToken: null, noAgent: `No agent runs on this machine: ${what}. ${fix}` };
}

async function tokenForThisMachine(ctx: ServiceContext): Promise<string> {
  const existing = await ctx.db.cluster.findFirst({
    where: { organizationId: ctx.organizationId, name: localCluster },
  });
  const cluster =
    existing ??
    (await createCluster(ctx, { name: localCluster, kind: "machines", region: "this machine", labels: {} }));
  const { token } = await createEnrollmentToken(ctx, { clusterId: cluster.id, expiresInMinutes: 60 });
  return token;
}
