import { z } from "zod";
import { plainText } from "./plain-text.ts";

/** Lists are paginated: REST clients follow nextCursor, the dashboard's tables use offsets. */
export const pageInput = z.strictObject({
  limit: z.int().min(1).max(200).default(50).describe("Maximum number of rows."),
  cursor: z
    .string()
    .max(400)
    .optional()
    .describe("nextCursor of the previous page, in the same order. Not together with offset."),
  offset: z.int().min(0).max(1_000_000).optional().describe("Number of rows to skip. Not together with cursor."),
});
export type PageInput = z.infer<typeof pageInput>;

export const direction = z.enum(["asc", "desc"]);
export type Direction = z.infer<typeof direction>;

/** listInput is the input of a list: a page of rows, sorted by one of these columns and filtered by these filters. */
export function listInput<const Sort extends readonly [string, ...string[]], Filters extends z.ZodRawShape>(
  sorts: Sort,
  filters: Filters,
  defaults: { sort: Sort[number]; direction: Direction },
) {
  const input = pageInput.extend({
    sort: z.enum(sorts).default(defaults.sort as never),
    direction: direction.default(defaults.direction),
    search: plainText(200).optional().describe("Text to find in the name, or in the message."),
    ...filters,
  });
  return input.refine(startsOnce, {
    path: ["offset"],
    message: "set either offset or cursor, not both",
  });
}

/** Takes an object: with generic filters, the compiler can't infer that the input is a page. */
function startsOnce(page: object): boolean {
  const { cursor, offset } = page as Partial<PageInput>;
  return cursor === undefined || offset === undefined;
}

/** Totals of append-only lists are capped here: exact counts of larger lists would be slow. */
export const mostCounted = 10_000;

/** pageOf is the response of a list. total counts all rows that match, not only those of this page. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    total: z
      .int()
      .describe(`Number of rows that match, on all pages; events and audit entries are counted up to ${mostCounted}.`),
    nextCursor: z.string().nullable().describe("The cursor of the next page; null on the last page."),
  });
}
export type Page<Item> = { items: Item[]; total: number; nextCursor: string | null };

/** manyOf lets a filter be given once or several times: ?strategy=ecmp&strategy=cloud */
export function manyOf<Item extends z.ZodType>(item: Item) {
  return z.union([z.array(item).max(20), item.transform((one) => [one])]).optional();
}
