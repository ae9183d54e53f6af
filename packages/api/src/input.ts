import { z } from "zod";

/** byId names one object. */
export function byId<Id extends z.ZodString>(id: Id) {
  return z.strictObject({ id });
}

/** The generation that a change is based on; REST takes it from If-Match. */
export const expectedGeneration = z.int().min(0).optional();

/** The answer of a verb that returns nothing. */
export const nothing = z.void();
