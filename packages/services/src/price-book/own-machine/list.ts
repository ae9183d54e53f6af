import { Prisma, selectPage } from "@fairlead/db";
import type { ListOwnMachines, OwnMachine, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";
import { contains } from "../../control/filter.sql.ts";
import { type OwnMachineRow, ownMachineSource, toOwnMachine } from "./rows.ts";

const casts = { name: "text", validFrom: "text", createdAt: "timestamptz" } as const;

export async function listOwnMachines(ctx: ServiceContext, input: ListOwnMachines): Promise<Page<OwnMachine>> {
  authorize(ctx, "price-book:read");
  const page = await selectPage<OwnMachineRow>(ctx.db, {
    ...ownMachineSource,
    sort: { column: input.sort, cast: casts[input.sort] },
    direction: input.direction,
    where: [Prisma.sql`"organizationId" = ${ctx.organizationId}`, contains(["name", "note"], input.search)],
    page: input,
  });
  return { ...page, items: page.items.map(toOwnMachine) };
}
