import { z } from "zod";
import { plainText } from "./plain-text.ts";

/** objectName is the name of an object: short, lower case, safe in URLs, DNS labels and file names. */
export const objectName = z
  .string()
  .min(1, "enter a name")
  .max(63, "63 characters at most")
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, "use lower-case letters, digits and dashes, not at the ends");

/** Labels are for filters and, later, placement. The limits are those of Kubernetes. */
export const labels = z
  .record(plainText(63).min(1), plainText(63))
  .refine((map) => Object.keys(map).length <= 32, "32 labels at most")
  .meta({ maxProperties: 32 });

/** selector chooses by labels; an empty one would choose everything. */
export const selector = labels
  .refine((map) => Object.keys(map).length > 0, "a selector needs at least one label")
  .meta({ minProperties: 1, maxProperties: 32 });
