import type { Page } from "@fairlead/domain";
import type { ListMoves, Move, MoveDetail, MoveState } from "@fairlead/domain/move";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals, isOneOf } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { loadMove, moveSource } from "./rows.ts";

/** A paused move that is resumed again and again could have any number. */
const mostSteps = 1_000;

export async function getMove(ctx: ServiceContext, id: string): Promise<MoveDetail> {
  authorize(ctx, "exposure:read");
  const found = await loadMove(ctx.db, ctx.organizationId, id);
  const history = await ctx.db.moveStep.findMany({
    where: { moveId: id },
    orderBy: [{ at: "asc" }, { id: "asc" }],
    take: mostSteps,
    select: { at: true, share: true, state: true, message: true },
  });
  return { ...found, history: history.map((each) => ({ ...each, state: each.state as MoveState })) };
}

export async function listMoves(ctx: ServiceContext, input: ListMoves): Promise<Page<Move>> {
  return listWithin<Move>(ctx, "exposure:read", input, {
    ...moveSource,
    sort: { cast: "timestamptz" },
    where: [
      equals("exposureId", input.exposureId),
      isOneOf("state", input.state),
      contains(["exposureName", "fromClusterName", "toClusterName"], input.search),
    ],
  });
}
