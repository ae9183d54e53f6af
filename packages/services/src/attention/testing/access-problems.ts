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

const keyExpiring: CreateProblem = async (ctx) => {
  const spec = { name: "ci", role: "viewer" as const, scopes: ["cluster:read" as const], requestsPerMinute: 600 };
  const expiresAt = after(ctx.now, 90 * dayMs);
  const { id } = await createApiKey(ctx, { ...spec, expiresAt });
  return { began: after(expiresAt, -7 * dayMs), fix: () => revokeApiKey(ctx, id) };
};

export const accessProblems = {
  "token-expiring": tokenExpiring,
  "api-key-expiring": keyExpiring,
} satisfies Partial<Record<AttentionKind, CreateProblem>>;
