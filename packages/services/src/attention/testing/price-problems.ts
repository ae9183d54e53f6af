import type { AttentionKind } from "@fairlead/domain/attention";
import type { ServiceContext } from "../../context.ts";
import {
  claimPriceRefresh,
  finishPriceRefresh,
  rejectHeldPrices,
  startPriceRefresh,
} from "../../cost/refresh/index.ts";
import { clearPrices, feedWith } from "../../cost/refresh/testing/stage.ts";
import type { CreateProblem } from "./problem.ts";

async function refresh(ctx: ServiceContext, outcome: Parameters<typeof finishPriceRefresh>[2]): Promise<string> {
  const { id } = await startPriceRefresh(ctx, { feed: "aws" });
  const claimed = await claimPriceRefresh(ctx.db, ctx.now);
  if (claimed?.id !== id) throw new Error("another refresh waits");
  await finishPriceRefresh(ctx.db, claimed, outcome, ctx.now);
  return id;
}

/** Twice the known price is held for review. */
const held: CreateProblem = async (ctx) => {
  await clearPrices(ctx);
  const id = await refresh(ctx, { read: feedWith({ alb: 45_000, nlb: 45_000 }) });
  return { began: ctx.now, fix: () => rejectHeldPrices(ctx, { id }) };
};

const failed: CreateProblem = async (ctx) => {
  await clearPrices(ctx);
  await refresh(ctx, { problem: "The feed could not be read: connection refused" });
  return { began: ctx.now, fix: () => ctx.db.priceRefresh.deleteMany() };
};

export const priceProblems = {
  "prices-held": held,
  "price-refresh-failed": failed,
} satisfies Partial<Record<AttentionKind, CreateProblem>>;
