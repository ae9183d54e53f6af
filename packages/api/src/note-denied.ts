import { DomainError } from "@fairlead/domain";
import { countRefusedKey, type ServiceContext } from "@fairlead/services";
import { TRPCError } from "@trpc/server";

type Denied = Pick<ServiceContext, "db" | "now" | "clientAddress" | "actor" | "organizationId">;

/** noteDenied counts a request in the audit if its API key may not perform the operation. */
export async function noteDenied(ctx: Denied, operation: string, error: unknown): Promise<void> {
  const { db, actor, organizationId, now } = ctx;
  const cause = error instanceof TRPCError ? error.cause : error;
  if (actor.kind !== "api-key" || !(cause instanceof DomainError) || cause.code !== "forbidden") return;
  const { id, name } = actor;
  const address = ctx.clientAddress ?? null;
  await countRefusedKey(db, { id, name, organizationId, reason: "not-permitted", address, operation }, now);
}

/** notingDenied runs work that is no procedure, and notes if it is denied. */
export async function notingDenied<T>(ctx: Denied, operation: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await noteDenied(ctx, operation, error);
    throw error;
  }
}
