import type { z } from "zod";
import { FeedRefused } from "./feed-refused.ts";

/** parseDocument validates a document. what is its name, at the start of a sentence. */
export function parseDocument<Schema extends z.ZodType>(schema: Schema, given: unknown, what: string): z.infer<Schema> {
  const { data, error } = schema.safeParse(given);
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  const where = issue?.path.join(".") || "document";
  throw new FeedRefused("malformed", `${what} has an unexpected format: ${where} is missing or invalid.`);
}
