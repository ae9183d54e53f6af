import { type PageQuery, Prisma, selectPage } from "@fairlead/db";
import type { Direction, Page, PageInput } from "@fairlead/domain";
import type { Permission } from "@fairlead/domain/access";
import { authorize, type ServiceContext } from "../context.ts";

/** ListInput is the input of every list, as the domain's schema parsed it. */
export type ListInput = PageInput & { sort: string; direction: Direction };

/** ListQuery is what differs between lists: the source of rows, the sort column's type, and the filters. */
export type ListQuery = Pick<PageQuery, "from" | "columns" | "where" | "countAtMost"> & {
  sort: Omit<PageQuery["sort"], "column">;
};

/** listWithin reads one page of an organisation's objects, for an actor with the permission. */
export async function listWithin<Row extends { id: string }>(
  ctx: ServiceContext,
  permission: Permission,
  input: ListInput,
  { sort, where, ...source }: ListQuery,
): Promise<Page<Row>> {
  authorize(ctx, permission);
  return selectPage<Row>(ctx.db, {
    ...source,
    sort: { column: input.sort, ...sort },
    direction: input.direction,
    where: [Prisma.sql`"organizationId" = ${ctx.organizationId}`, ...where],
    page: input,
  });
}
