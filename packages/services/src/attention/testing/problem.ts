import type { ServiceContext } from "../../context.ts";

/** A problem of a test: when it began, and what fixes it. */
export type Problem = { began: Date; fix: () => Promise<unknown> };

/** Creates one problem of a kind in an organisation. */
export type CreateProblem = (ctx: ServiceContext) => Promise<Problem>;

export const dayMs = 24 * 3_600_000;

export function after(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms);
}
