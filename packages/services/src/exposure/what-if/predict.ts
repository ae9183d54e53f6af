import { conflict, DomainError, invalid } from "@fairlead/domain";
import { nodesNamedIn, predictFrom, type WhatIf, type WhatIfChange } from "@fairlead/domain/exposure";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadExposure } from "../get.ts";
import { selectEntries } from "./measured.sql.ts";
import { describeMissing, toMeasured } from "./to-measured.ts";

/** predictWhatIf predicts how an exposure with the strategy adaptive behaves after a change, from what its agents report. */
export async function predictWhatIf(ctx: ServiceContext, id: string, change: WhatIfChange): Promise<WhatIf> {
  authorize(ctx, "exposure:read");
  const { strategy } = await loadExposure(ctx.db, ctx.organizationId, id);
  if (strategy.type !== "adaptive")
    throw conflict(`Only exposures with the strategy adaptive can be predicted, and this one has ${strategy.type}.`);
  const { simulator } = ctx;
  if (!simulator)
    throw new DomainError("unavailable", "This installation has no simulator, so nothing can be predicted.");
  const named = nodesNamedIn(change);
  const { entries, leftOut } = await selectEntries(ctx.db, id, named);
  const measured = toMeasured(entries, change);
  if (!measured)
    throw change.port === undefined ? conflict(describeMissing(change)) : invalid(["port"], describeMissing(change));
  const caller = { id: `${ctx.actor.kind} ${ctx.actor.id}`, organizationId: ctx.organizationId };
  return predictFrom({
    ...{ measured, change, leftOut, now: ctx.now },
    simulate: (plans) => simulator(caller, plans),
  });
}
