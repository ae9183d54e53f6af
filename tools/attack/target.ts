import path from "node:path";
import { createTestFleet, type Fleet } from "@fairlead/api/testing";
import { type Db, openDb } from "@fairlead/db";
import { type Permission, permissions, type Role, roles } from "@fairlead/domain/access";
import { priceFeedNames } from "@fairlead/domain/cost";
import { findEmbedded } from "@fairlead/launcher";
import { claimPorts } from "@fairlead/launcher/testing/claim-ports";
import { acceptInvitationAsNewUser, createApiKey } from "@fairlead/services";
import { type Stack, startStack } from "../bench/controlplane/stack.ts";
import { type EarlyAnswers, knock } from "./early-answers.ts";
import { type Answer, closeConnections, type Sent, send } from "./send.ts";

/** The public URL of the dashboard: it is behind a proxy with HTTPS. */
export const publicUrl = "https://fairlead.test";
/** The address of the only trusted proxy. */
export const proxy = "127.0.0.2";
export const password = "correct horse battery staple";

export type Member = { email: string; userId: string; memberId: string; cookie: string };

/** Target is a running product with two organisations. The attacker has accounts and keys of one; the other is the victim. */
export type Target = {
  stack: Stack;
  db: Db;
  own: Fleet;
  victim: Fleet;
  /** The attacker's key, and one of the victim, with all permissions. */
  key: string;
  victimKey: string;
  members: Record<Role, Member>;
  /** What the dashboard answered before it was ready. */
  early: EarlyAnswers;
  /** A free port, whose URL identity providers may use. */
  issuerPort: number;
  gatewayPort: number;
  metricsUrl: string;
  api: (path: string, sent?: Sent & { key?: string }) => Promise<Answer>;
  createKey: (role: Role, scopes: readonly Permission[]) => Promise<string>;
  join: (role: Role) => Promise<Member>;
  stop: () => Promise<void>;
};

/** startTarget runs the product as `npm start` does, with its own data folder. */
export async function startTarget(root: string): Promise<Target> {
  const { first, release } = await claimPorts();
  const [web, gatewayPort, metrics, unused, issuerPort] = [first + 1, first + 2, first + 3, first + 4, first + 5];
  const url = `http://127.0.0.1:${web}`;
  const early = knock(url);
  const stack = await startStack(
    root,
    { web, gateway: gatewayPort },
    {
      FAIRLEAD_URL: publicUrl,
      FAIRLEAD_TRUSTED_PROXIES: proxy,
      FAIRLEAD_OIDC_ENDPOINTS: `http://127.0.0.1:${issuerPort}`,
      FAIRLEAD_CONTROLLER_METRICS_PORT: String(metrics),
      // Price lists are fetched on request: none of them from the internet.
      FAIRLEAD_PRICE_MIRRORS: priceFeedNames.map((feed) => `${feed}=http://127.0.0.1:${unused}`).join(","),
    },
  ).finally(early.stop);
  const db = openDb(findEmbedded(stack.dataFolder) ?? "", { connections: 4 });
  const stop = async () => {
    closeConnections();
    await db.$disconnect();
    await stack.stop();
    await release();
  };
  try {
    const [own, victim] = [await createTestFleet(db), await createTestFleet(db)];
    const key = await createKeyOf(own, "owner", permissions);
    const api: Target["api"] = (at, { key: other = key, ...sent } = {}) =>
      send(`${url}/api/v1${at}`, { ...sent, headers: { authorization: `Bearer ${other}`, ...sent.headers } });
    const join = (role: Role) => joinAs(role, { api, db, url });
    const members = {} as Record<Role, Member>;
    for (const role of roles) members[role] = await join(role);
    return {
      ...{ stack, db, own, victim, key, members, early, issuerPort, gatewayPort, api, join, stop },
      victimKey: await createKeyOf(victim, "owner", permissions),
      metricsUrl: `http://127.0.0.1:${metrics}`,
      createKey: (role, scopes) => createKeyOf(own, role, scopes),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createKeyOf({ owner, users }: Fleet, role: Role, scopes: readonly Permission[]): Promise<string> {
  const name = `${role} ${scopes.length === 1 ? scopes[0] : scopes.length}`;
  const spec = { name, role, scopes: [...scopes], requestsPerMinute: 60_000, expiresAt: null };
  return (await createApiKey({ ...owner, actor: users.owner, now: new Date() }, spec)).key;
}

let joined = 0;

/** joinAs creates a member by an invitation, and signs them in with a password. */
async function joinAs(role: Role, { api, db, url }: { api: Target["api"]; db: Db; url: string }): Promise<Member> {
  const email = `member-${++joined}@attack.test`;
  const invited = await api("/invitations", { method: "POST", body: { email, role } });
  const token = path.basename((JSON.parse(invited.text) as { path: string }).path);
  await acceptInvitationAsNewUser(db, { token, name: `Member ${joined}`, password }, new Date());
  const { status, headers, text } = await signIn(url, { email, password });
  if (status !== 200) throw new Error(`sign-in returned ${status}: ${text}`);
  const { id: memberId, userId } = await db.member.findFirstOrThrow({ where: { user: { email } } });
  return { email, userId, memberId, cookie: cookieOf(headers["set-cookie"]) };
}

/** signIn tries a password, from the dashboard's own page. */
export function signIn(url: string, attempt: { email: string; password: string }, sent: Sent = {}): Promise<Answer> {
  return send(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    body: attempt,
    ...sent,
    headers: { origin: publicUrl, ...sent.headers },
  });
}

export function cookieOf(lines: string[] = []): string {
  return lines.map((line) => line.split(";")[0]).join("; ");
}
