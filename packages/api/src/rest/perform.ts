import { authorize, openSecretBox, runOnce } from "@fairlead/services";
import { createCaller } from "../caller.ts";
import type { ApiContext } from "../context.ts";
import { notingDenied } from "../note-denied.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import type { Operation } from "./operation.ts";
import { readInput } from "./read-input.ts";
import type { Answer } from "./respond.ts";

export type Performance = {
  ctx: ApiContext;
  operation: Operation;
  request: Request;
  params: Record<string, string>;
  query: URLSearchParams;
};

/** perform runs the procedure of an operation; a create runs once for an Idempotency-Key. */
export async function perform({ ctx, operation, request, params, query }: Performance): Promise<Answer> {
  if (operation.isOpen) {
    const input = await readInput(operation, request, params, query);
    return { body: await call(ctx, operation, input, request.signal), isReplayed: false };
  }
  const { actor, organizationId } = await ctx.identify(); // before the input is checked: an anonymous client gets no hints about valid input
  const identity = { actor, organizationId };
  const known = { ...ctx, identify: async () => identity };
  const key = readIdempotencyKey(operation, request.headers);
  const input = await readInput(operation, request, params, query);
  if (key === null) return { body: await call(known, operation, input, request.signal), isReplayed: false };
  const service = { ...ctx, ...identity };
  // A replay runs no verb, so permissions are checked here.
  await notingDenied(service, operation.id, () => {
    for (const permission of operation.permissions) authorize(service, permission);
  });
  const box = openSecretBox(ctx.settings.secret, "kept-answer");
  return runOnce(service, { key, operation: operation.id, input, box }, ({ db }) =>
    call({ ...known, db, rootDb: ctx.db }, operation, input, request.signal),
  );
}

type Callable = (input: unknown) => Promise<unknown>;

/** call runs a procedure by its name. Operations are compiled from the router, so the name always exists. */
async function call(ctx: ApiContext, operation: Operation, input: unknown, signal: AbortSignal): Promise<unknown> {
  const caller = createCaller(ctx, { signal }) as unknown as Record<string, Record<string, Callable>>;
  const [noun = "", verb = ""] = operation.id.split(".");
  const procedure = caller[noun]?.[verb];
  if (!procedure) throw new Error(`There is no procedure ${operation.id}.`);
  return procedure(input);
}
