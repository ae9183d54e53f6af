import { z } from "zod";
import { plainText } from "./plain-text.ts";

/** A list is read by cursor: REST clients follow nextCursor, the dashboard's tables jump by offset. */
export const pageInput = z.strictObject({
  limit: z.int().min(1).max(200).default(50).describe("How many rows at most."),
  cursor: z.string().max(400).optional().describe("nextCursor of the page before."),
  offset: z.int().min(0).max(1_000_000).optional().describe("How many rows to skip; not together with cursor."),
});
export type PageInput = z.infer<typeof pageInput>;

export const direction = z.enum(["asc", "desc"]);
export type Direction = z.infer<typeof direction>;

/** listInput is a page of rows, sorted by one of the given columns, narrowed by the given filters. */
export function listInput<const Sort extends readonly [string, ...string[]], Filters extends z.ZodRawShape>(
  sorts: Sort,
  filters: Filters,
  defaults: { sort: Sort[number]; direction: Direction },
) {
  const input = pageInput.extend({
    sort: z.enum(sorts).default(defaults.sort as never),
    direction: direction.default(defaults.direction),
    search: plainText(200).optional().describe("Text that the name (or message) contains."),
    ...filters,
  });
  return input.refine(startsOnce, {
    path: ["offset"],
    message: "leave offset out, or cursor: the cursor says where the page starts",
  });
}

/** Of a list with filters that nobody has named yet, types can't tell that it is a page. */
function startsOnce(page: object): boolean {
  const { cursor, offset } = page as Partial<PageInput>;
  return cursor === undefined || offset === undefined;
}

/** Lists of records that only ever grow stop counting here: past it, a filter helps more than a number. */
export const mostCounted = 10_000;

/** pageOf is what a list answers. total counts all rows that match, not only this page's. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    total: z
      .int()
      .describe(
        `How many rows match, on all pages together; events and audit entries are counted up to ${mostCounted}.`,
      ),
    nextCursor: z.string().nullable().describe("Give it back as cursor for the next page; null on the last."),
  });
}
export type Page<Item> = { items: Item[]; total: number; nextCursor: string | null };

/** manyOf lets a filter be given once or several times: ?strategy=ecmp&strategy=cloud */
export function manyOf<Item extends z.ZodType>(item: Item) {
  return z.union([z.array(item).max(20), item.transform((one) => [one])]).optional();
}
