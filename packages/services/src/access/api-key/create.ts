import { inTransaction, type Tx } from "@fairlead/db";
import { DomainError, invalid, newId } from "@fairlead/domain";
import { type ApiKey, type CreateApiKey, type CreatedApiKey, may, permissionsOf } from "@fairlead/domain/access";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { recordChange } from "../../control/record-change.ts";
import { hashSecretToken, newSecretToken } from "../secret-token.ts";
import { apiKeySource } from "./rows.ts";

const shownCharacters = 8;

/**
 * createApiKey creates a key with no more permissions than its creator, and returns it this once: only its hash is
 * stored.
 */
export async function createApiKey(ctx: ServiceContext, input: CreateApiKey): Promise<CreatedApiKey> {
  authorize(ctx, "key:write");
  checkScopes(ctx, input);
  if (input.expiresAt && input.expiresAt <= ctx.now) throw invalid(["expiresAt"], "choose a moment in the future");
  const key = `fl_${newSecretToken()}`;
  return inTransaction(ctx.db, async (tx) => {
    await checkWithinMaker(tx, ctx, input);
    const id = newId("apiKey", ctx.now);
    await tx.apiKey.create({
      data: {
        ...input,
        id,
        organizationId: ctx.organizationId,
        start: key.slice(0, shownCharacters),
        keyHash: hashSecretToken(key),
        createdBy: ctx.actor.id,
        createdAt: ctx.now,
      },
    });
    const created = await loadOne<ApiKey>(tx, "API key", apiKeySource, ctx.organizationId, id);
    await recordChange(tx, ctx, {
      action: "api-key.create",
      subjectKind: "api-key",
      subjectId: id,
      subjectName: input.name,
      clusterId: null,
      before: null,
      after: { ...input, start: created.start },
    });
    return { ...created, key };
  });
}

function checkScopes(ctx: ServiceContext, { role, scopes }: CreateApiKey): void {
  const ofRole = new Set(permissionsOf(role));
  const fields = scopes.flatMap((scope, at) => {
    if (!ofRole.has(scope)) return [{ path: ["scopes", at], message: `The role ${role} does not include ${scope}.` }];
    if (!may(ctx.actor, scope)) return [{ path: ["scopes", at], message: `You don't have ${scope} yourself.` }];
    return [];
  });
  const [first] = fields;
  if (first) throw new DomainError("invalid", first.message, { fields });
}

/** A key created with a key must not outlive it, nor have a higher rate limit. */
async function checkWithinMaker(tx: Tx, ctx: ServiceContext, input: CreateApiKey): Promise<void> {
  if (ctx.actor.kind !== "api-key") return;
  const maker = await tx.apiKey.findUniqueOrThrow({ where: { id: ctx.actor.id } });
  if (maker.expiresAt && (!input.expiresAt || input.expiresAt > maker.expiresAt))
    throw invalid(["expiresAt"], `A key created with ${maker.name} can't be valid longer than that key.`);
  if (input.requestsPerMinute > maker.requestsPerMinute)
    throw invalid(
      ["requestsPerMinute"],
      `A key created with ${maker.name} can't have a higher rate limit than that key.`,
    );
}
