import { DomainError, type ErrorCode, type FieldProblem } from "@fairlead/domain";
import type { TRPCDefaultErrorShape, TRPCError } from "@trpc/server";
import type { ApiContext } from "./context.ts";

export type ErrorData = TRPCDefaultErrorShape["data"] & {
  /** The outcome in our own vocabulary; null for an unexpected failure. */
  outcome: ErrorCode | null;
  fields: FieldProblem[];
  retryAfterSeconds: number | null;
  requestId: string | null;
};

/** errorShape is the part of an error that the dashboard receives. */
export function errorShape(opts: { shape: TRPCDefaultErrorShape; error: TRPCError; ctx: ApiContext | undefined }) {
  const { shape, error, ctx } = opts;
  const outcome = error.cause instanceof DomainError ? error.cause : null;
  const { stack: _, ...rest } = shape.data;
  const data: ErrorData = {
    ...rest,
    outcome: outcome?.code ?? null,
    fields: outcome?.fields ?? [],
    retryAfterSeconds: outcome?.retryAfterSeconds ?? null,
    requestId: ctx?.requestId ?? null,
  };
  return { ...shape, data };
}
