import { createHash } from "node:crypto";
import { inTransaction } from "@fairlead/db";
import { canonicalJson, DomainError, invalid } from "@fairlead/domain";
import type { ServiceContext } from "../context.ts";
import type { SecretBox } from "../secret/index.ts";
import { findAnswer, keepAnswer, lockAnswer } from "./idempotency-answer.sql.ts";
import { joinTransaction } from "./joined-db.ts";

export const idempotencyKeyLastsMs = 24 * 3_600_000;

export type OnceRequest = {
  /** The client's key. Only a hash of it is stored. */
  key: string;
  operation: string;
  input: unknown;
  /** Answers may hold a secret that is shown once, so they are stored sealed. */
  box: SecretBox;
};

export type OnceAnswer = { body: unknown; isReplayed: boolean };

/**
 * runOnce runs a verb at most once for a key, and returns the first answer to a repeat. What the verb created and the
 * answer are committed together: after a crash there are both or neither, and no key is ever left claimed. A verb
 * that fails stores nothing, so its repeat tries again.
 */
export async function runOnce(
  ctx: ServiceContext,
  request: OnceRequest,
  run: (ctx: ServiceContext) => Promise<unknown>,
): Promise<OnceAnswer> {
  // Keys belong to their actor: no actor gets another's answer.
  const key = digest([ctx.actor.kind, ctx.actor.id, request.key]);
  const requestDigest = digest([request.operation, request.input]);
  return inTransaction(ctx.db, async (tx) => {
    if (!(await lockAnswer(tx, ctx.organizationId, key))) throw inFlight();
    const since = new Date(ctx.now.getTime() - idempotencyKeyLastsMs);
    const before = await findAnswer(tx, ctx.organizationId, key, since);
    if (before && before.requestDigest !== requestDigest) throw otherRequest();
    if (before) return { body: JSON.parse(request.box.open(before.sealedBody)), isReplayed: true };

    const body = await run({ ...ctx, db: joinTransaction(tx) });
    const sealedBody = request.box.seal(JSON.stringify(body));
    await keepAnswer(tx, ctx.organizationId, { key, requestDigest, sealedBody, createdAt: ctx.now });
    return { body, isReplayed: false };
  });
}

function digest(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

function inFlight(): DomainError {
  const message = "A request with this Idempotency-Key is still in progress. Repeat it in a moment for its answer.";
  return new DomainError("conflict", message, { retryAfterSeconds: 1 });
}

function otherRequest(): DomainError {
  const message = "This key was used for another request in the last 24 hours. Use a new key for each thing to create.";
  return invalid(["Idempotency-Key"], message);
}
