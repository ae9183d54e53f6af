import { DomainError } from "@fairlead/domain";

/** checkGeneration refuses a change that was based on an older state than the stored one (If-Match). */
export function checkGeneration(what: string, stored: number, expected: number | undefined): void {
  if (expected === undefined || expected === stored) return;
  throw new DomainError(
    "precondition-failed",
    `The ${what} was changed since you read it (it is at generation ${stored}, you had ${expected}). Read it again and repeat the change.`,
  );
}
