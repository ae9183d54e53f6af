import { DomainError } from "@fairlead/domain";

/** Refusal is a reason not to go on that the reader can cure. It is shown as the one sentence it is. */
export class Refusal extends Error {
  override name = "Refusal";
}

/** sentenceOf answers what to tell the reader of an outcome that we planned for; null for a fault of ours. */
export function sentenceOf(error: unknown): string | null {
  return error instanceof Refusal || error instanceof DomainError ? error.message : null;
}
