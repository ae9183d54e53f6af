import { DomainError } from "@fairlead/domain";

/** Refusal is an error that the user can fix. Only its message is shown. */
export class Refusal extends Error {
  override name = "Refusal";
}

/** messageOf returns the message for an expected error, or null for a bug. */
export function messageOf(error: unknown): string | null {
  return error instanceof Refusal || error instanceof DomainError ? error.message : null;
}
