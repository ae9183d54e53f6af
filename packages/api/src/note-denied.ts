import { DomainError } from "@fairlead/domain";
import { countRefusedKey, type ServiceContext } from "@fairlead/services";
import { TRPCError } from "@trpc/server";
import type { ApiContext } from "./context.ts";

type Denied = Pick<ServiceContext, "now" | "clientAddress" | "actor" | "organizationId"> &
  Pick<ApiContext, "db" | "rootDb" | "requestId" | "reportFault">;

/** noteDenied counts a request in the audit if its API key may not perform the operation. */
export function noteDenied(ctx: Denied, operation: string, error: unknown): void {
  const { db, rootDb, actor, organizationId, now, requestId } = ctx;
  const cause = error instanceof TRPCError ? error.cause : error;
  if (actor.kind !== "api-key" || !(cause instanceof DomainError) || cause.code !== "forbidden") return;
  const { id, name } = actor;
  const address = ctx.clientAddress ?? null;
  const refused = { id, name, organizationId, reason: "not-permitted", address, operation } as const;
  const onFault = (fault: unknown) => ctx.reportFault({ requestId, operation: "audit of keys", error: fault });
  countRefusedKey(rootDb ?? db, refused, now, onFault);
}

/** notingDenied runs work that is no procedure, and notes if it is denied. */
export async function notingDenied<T>(ctx: Denied, operation: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    noteDenied(ctx, operation, error);
    throw error;
  }
}
