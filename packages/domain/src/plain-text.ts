import { z } from "zod";

/** plainText is one line that people write. Control characters are slips at best, and PostgreSQL stores no NUL. */
export function plainText(longest: number) {
  return z
    .string()
    .trim()
    .max(longest, `${longest} characters at most`)
    .regex(/^[ -~\u00a0-\uffff]*$/, "leave out line breaks and control characters");
}
