import { ZodError, type z } from "zod";
import { checkStorable } from "../storable.ts";
import { invalidInput } from "../translate-error.ts";
import type { Operation } from "./operation.ts";
import { readQuery } from "./read-query.ts";

/** readFileInput reads the input of a file, which is no procedure, as if it were one. */
export function readFileInput<Input>(operation: Operation, schema: z.ZodType<Input>, params: URLSearchParams): Input {
  const parsed = schema.safeParse(readQuery(operation, params));
  if (!parsed.success) throw invalidInput(new ZodError(parsed.error.issues));
  checkStorable(parsed.data);
  return parsed.data;
}
