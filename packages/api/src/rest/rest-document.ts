import type { z } from "zod";
import { qualityFor } from "./accept.ts";
import { RestError } from "./problem.ts";

/** RestDocument is an answer that has other forms than JSON, and provides its own state identifier. */
export type RestDocument = {
  /** The schema of its JSON form, for the OpenAPI document. */
  schema: z.ZodType;
  /** The available media types; the first is the default. */
  types: readonly [string, ...string[]];
  write: (answer: unknown, wanted: { type: string; format: string | null }) => Written;
};

export type Written = { text: string; type: string; tag: string };

/** pickType returns the available media type that the client prefers, or refuses. */
export function pickType(header: string | null, types: readonly [string, ...string[]]): string {
  const qualities = types.map((type) => qualityFor(header, type));
  const best = Math.max(...qualities);
  const found = best > 0 ? types[qualities.indexOf(best)] : undefined;
  if (found !== undefined) return found;
  const list = types.length === 1 ? types[0] : `${types.slice(0, -1).join(", ")} or ${types.at(-1)}`;
  throw new RestError("not-acceptable", `Answers are ${list}: accept that, or send no Accept header.`);
}
