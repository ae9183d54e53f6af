import type { AttentionKind } from "@fairlead/domain/attention";
import { createApiKey, revokeApiKey } from "../../access/index.ts";
import { ensureAuthority } from "../../authority/ensure.ts";
import { createEnrollmentToken, deleteEnrollmentToken } from "../../enrollment-token/index.ts";
import { createTestCluster } from "../../testing/index.ts";
import { after, type CreateProblem, dayMs } from "./problem.ts";

const tokenExpiring: CreateProblem = async (ctx) => {
  await ensureAuthority(ctx.db, ctx.settings.secret, ctx.now);
  const { cluster } = await createTestCluster(ctx);
  const spec = { clusterId: cluster.id, reusable: true, expiresInMinutes: 8 * 60 };
  const { id, expiresAt } = await createEnrollmentToken(ctx, spec);
  return { began: after(expiresAt, -2 * 3_600_000), fix: () => deleteEnrollmentToken(ctx, id) };
};

/** A kubeconfig whose client certificate expires in thirty days, until it is replaced by one without. */
const kubeconfigExpiring: CreateProblem = async (ctx) => {
  const clusterId = (await createTestCluster(ctx)).cluster.id;
  const expiresAt = after(ctx.now, 30 * dayMs);
  const settings = { certificateExpiresAt: expiresAt.toISOString() };
  await ctx.db.kubernetesAccess.create({ data: { clusterId, settings, sealed: "" } });
  const data = { settings: { certificateExpiresAt: null } };
  return {
    began: after(expiresAt, -14 * dayMs),
    fix: () => ctx.db.kubernetesAccess.update({ where: { clusterId }, data }),
  };
};

const keyExpiring: CreateProblem = async (ctx) => {
  const spec = { name: "ci", role: "viewer" as const, scopes: ["cluster:read" as const], requestsPerMinute: 600 };
  const expiresAt = after(ctx.now, 90 * dayMs);
  const { id } = await createApiKey(ctx, { ...spec, expiresAt });
  return { began: after(expiresAt, -7 * dayMs), fix: () => revokeApiKey(ctx, id) };
};

export const accessProblems = {
  "kubeconfig-expiring": kubeconfigExpiring,
  "token-expiring": tokenExpiring,
  "api-key-expiring": keyExpiring,
} satisfies Partial<Record<AttentionKind, CreateProblem>>;
