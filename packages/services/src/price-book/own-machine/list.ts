import type { Page } from "@fairlead/domain";
import type { ListOwnMachines, OwnMachine } from "@fairlead/domain/cost";
import type { ServiceContext } from "../../context.ts";
import { contains } from "../../control/filter.sql.ts";
import { listWithin } from "../../control/list-within.ts";
import { type OwnMachineRow, ownMachineSource, toOwnMachine } from "./rows.ts";

const casts = { name: "text", validFrom: "text", createdAt: "timestamptz" } as const;

export async function listOwnMachines(ctx: ServiceContext, input: ListOwnMachines): Promise<Page<OwnMachine>> {
  const page = await listWithin<OwnMachineRow>(ctx, "price-book:read", input, {
    ...ownMachineSource,
    sort: { cast: casts[input.sort] },
    where: [contains(["name", "note"], input.search)],
  });
  return { ...page, items: page.items.map(toOwnMachine) };
}
