import { z } from "zod";

/** byId names one object. */
export function byId<Id extends z.ZodString>(id: Id) {
  return z.strictObject({ id });
}

/** The generation that a change is based on; REST takes it from If-Match. */
export const expectedGeneration = z.int().min(0).optional();

/** What a verb answers that leaves nothing to tell. */
export const nothing = z.void();
