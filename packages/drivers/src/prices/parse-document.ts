import type { z } from "zod";
import { FeedRefused } from "./feed-refused.ts";

/** parseDocument takes a document by the shape its provider describes. what names it at the beginning of a sentence. */
export function parseDocument<Schema extends z.ZodType>(schema: Schema, given: unknown, what: string): z.infer<Schema> {
  const { data, error } = schema.safeParse(given);
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  const where = issue?.path.join(".") || "document";
  throw new FeedRefused(
    "malformed",
    `${what} isn't as its provider describes it: ${where} is missing, or something else.`,
  );
}
