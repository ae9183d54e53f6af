import type { z } from "zod";
import { qualityFor } from "./accept.ts";
import { RestError } from "./problem.ts";

/** RestDocument is an answer that is written in other forms than JSON too, and says itself what names its state. */
export type RestDocument = {
  /** What its JSON says, for the OpenAPI document. */
  schema: z.ZodType;
  /** The media types that can be asked for; the first one when anything will do. */
  types: readonly [string, ...string[]];
  write: (answer: unknown, wanted: { type: string; format: string | null }) => Written;
};

export type Written = { text: string; type: string; tag: string };

/** pickType answers the media type that the client likes best of those there are, or refuses. */
export function pickType(header: string | null, types: readonly [string, ...string[]]): string {
  const qualities = types.map((type) => qualityFor(header, type));
  const best = Math.max(...qualities);
  const found = best > 0 ? types[qualities.indexOf(best)] : undefined;
  if (found !== undefined) return found;
  const list = types.length === 1 ? types[0] : `${types.slice(0, -1).join(", ")} or ${types.at(-1)}`;
  throw new RestError("not-acceptable", `Answers are ${list}: accept that, or send no Accept header.`);
}
