import { z } from "zod";
import { idPattern, idPrefixes, type ObjectKind } from "./id-text.ts";

/** idOf is the schema of the ids of one kind. */
export function idOf(kind: ObjectKind) {
  const prefix = idPrefixes[kind];
  return z
    .string()
    .regex(idPattern(kind), `enter an id that starts with ${prefix}_`)
    .meta({ examples: [`${prefix}_01kav3x0zq8w4m2n6r5t7y9b1c`] });
}
