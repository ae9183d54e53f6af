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
import { findStanding, identityFile, setAside } from "./local-agent.ts";
import type { Surroundings } from "./programs.ts";
import type { Settings } from "./settings.ts";

/** What a start goes on with. noAgent says why this machine's agent is left out, where somebody wanted that. */
export type Fleet = { signIn: string; agentToken: string | null; noAgent: string | null };

export const localCluster = "local";

/** prepareFleet makes what a first start needs: an owner, a cluster for this machine, and a token for its agent. */
export async function prepareFleet(given: Surroundings, settings: Settings, withAgent: boolean): Promise<Fleet> {
  const db = openDb(given.databaseUrl, { connections: 2, applicationName: "fairlead-launcher" });
  try {
    // First, for it refuses a secret that this database was not set up with, which the controller can't run with.
    const authority = await ensureAuthority(db, given.secret, new Date());
    const signIn = await prepareOwner(db, settings);
    const ctx = await ourContext(db, given);
    if (!ctx || !withAgent) return { signIn, agentToken: null, noAgent: null };
    return { signIn, ...(await admitThisMachine(ctx, given.agentState, authority.der)) };
  } finally {
    await db.$disconnect();
  }
}

/** ourContext lets the launcher act in the first organisation, under its own name; null while there is none. */
export async function ourContext(db: Db, given: Surroundings): Promise<ServiceContext | null> {
  const organization = await db.organization.findFirst({ orderBy: { createdAt: "asc" } });
  if (!organization) return null;
  return {
    db,
    actor: { kind: "system", id: "launcher", name: "npm start" },
    organizationId: organization.id,
    now: new Date(),
    settings: { gatewayUrl: given.gatewayUrl, secret: given.secret },
  };
}

async function prepareOwner(db: Db, { admin, dataFolder }: Settings): Promise<string> {
  const file = path.join(dataFolder, "first-owner.txt");
  const wanted = admin ?? { email: "owner@fairlead.local", password: randomBytes(12).toString("base64url") };
  const made = await ensureFirstOwner({ db, ...wanted, name: "Owner" });
  if (made && !admin) {
    writeFileSync(file, `${wanted.email}\n${wanted.password}\n`, { mode: 0o600 });
    return `Sign in as ${wanted.email} with the password ${wanted.password}\n(kept in ${file}; change it under Settings)`;
  }
  if (admin)
    return `Sign in as ${admin.email}${made ? " with the password you gave." : " or as anybody who is a member already."}`;
  if (!existsSync(file)) return "Sign in as before.";
  const [email] = readFileSync(file, "utf8").split("\n");
  return `Sign in as ${email}; the first password lies in ${file}.`;
}

/** admitThisMachine gives its agent a token if that is nobody yet. One that somebody wanted gone stays gone. */
async function admitThisMachine(
  ctx: ServiceContext,
  agentState: string,
  authorityDer: Buffer,
): Promise<Omit<Fleet, "signIn">> {
  const standing = await findStanding(ctx.db, agentState, authorityDer, ctx.now);
  if (standing === "good") return { agentToken: null, noAgent: null };
  if (standing === "nobody") {
    setAside(agentState);
    return { agentToken: await tokenForThisMachine(ctx), noAgent: null };
  }
  const what = standing === "revoked" ? "its agent was revoked" : "its node is gone from the dashboard";
  const cure = `To have it join again, remove ${identityFile(agentState)} and start again.`;
  return { agentToken: null, noAgent: `No agent runs on this machine: ${what}. ${cure}` };
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
