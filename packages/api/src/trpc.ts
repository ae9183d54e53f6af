import { DomainError } from "@fairlead/domain";
import type { Permission } from "@fairlead/domain/access";
import { admitToCalculator } from "@fairlead/services";
import { initTRPC } from "@trpc/server";
import type { ApiContext, Identity } from "./context.ts";
import { errorShape } from "./error-shape.ts";
import { noteDenied } from "./note-denied.ts";
import type { RestDocument } from "./rest/rest-document.ts";
import { checkStorable } from "./storable.ts";
import { transformer } from "./transformer.ts";
import { translateError } from "./translate-error.ts";

/** How a procedure appears under /api/v1. */
export type RestMeta = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below /api/v1; names in braces are fields of the input. */
  path: `/${string}`;
  summary: string;
  tag: string;
  /** Defaults to 200. A 201 returns the Location of the created object, and honours Idempotency-Key. */
  status?: 200 | 201 | 204;
  /** Its query names one object, which may not exist. */
  looksUp?: true;
  /** A realistic body, for the document. */
  example?: object;
  /** How its answer is serialised, where that is not simply JSON. */
  document?: RestDocument;
};

export type ProcedureMeta = {
  /**
   * What the verb requires of its actor: "signed-in" for any identified actor, "person" for a user but not a key,
   * "anyone" to include anonymous clients. A test checks this for every procedure.
   */
  permission: Permission | readonly Permission[] | "signed-in" | "person" | "anyone";
  rest?: RestMeta;
};

const t = initTRPC
  .context<ApiContext>()
  .meta<ProcedureMeta>()
  .create({
    transformer,
    isDev: false, // no stacks in answers, in any environment
    errorFormatter: errorShape,
    sse: {
      ping: { enabled: true, intervalMs: 10_000 },
      client: { reconnectAfterInactivityMs: 25_000 },
    },
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** All errors of all procedures are translated here, and nowhere else. */
const translated = t.middleware(async ({ ctx, path, next }) => {
  const result = await next();
  if (result.ok) return result;
  throw translateError(result.error, { requestId: ctx.requestId, operation: path }, ctx.reportFault);
});

/** Credentials come before input: an anonymous client gets no hints about valid input. */
const identified = t.middleware(async ({ ctx, meta, path, next }) => {
  const { actor, organizationId } = await ctx.identify();
  checkShown(ctx.shownOrganizationId, organizationId, meta);
  const result = await next({ ctx: { actor, organizationId } });
  if (!result.ok) noteDenied({ ...ctx, actor, organizationId }, path, result.error);
  return result;
});

/** Procedures outside any organisation stay open: they let a page find its session's organisation and switch back. */
function checkShown(shown: string | undefined, organizationId: string, meta: ProcedureMeta | undefined): void {
  if (shown === undefined || shown === organizationId) return;
  if (meta?.permission === "signed-in" || meta?.permission === "person") return;
  throw new DomainError(
    "other-organization",
    "You have switched to another organisation since this page was read, so nothing was done. Reload the page.",
  );
}

const storable = t.middleware(async ({ getRawInput, next }) => {
  checkStorable(await getRawInput());
  return next();
});

/** Admits identified actors, and anonymous clients within their rate limit, unless the installation rejects those. */
const admitted = t.middleware(async ({ ctx, next }) => {
  let caller: Identity | null = null;
  try {
    caller = await ctx.identify();
  } catch (error) {
    const isAnonymous = error instanceof DomainError && error.code === "unauthenticated";
    if (!isAnonymous || ctx.settings.isCalculatorClosed) throw error;
    await admitToCalculator(ctx);
  }
  return next({ ctx: { caller } });
});

/** The base of procedures outside any organisation, such as prices: their verbs need no identity. */
export const openProcedure = t.procedure.use(translated).use(admitted).use(storable);

/** The base of every other procedure. Permissions are checked by the verbs, in services. */
export const procedure = t.procedure.use(translated).use(identified).use(storable);
