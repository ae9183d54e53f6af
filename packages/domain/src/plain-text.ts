import { z } from "zod";

// What it leaves out, rather than what it allows: a range up to the last character means one thing here and another
// to those who read the pattern in the OpenAPI document, for whom 🚢 is one character and not two.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const noControlCharacters = /^[^\u0000-\u001f\u007f-\u009f]*$/;

/**
 * plainText is one line that people write. Control characters are slips at best, and PostgreSQL stores no NUL. Blanks at
 * its ends go last: what the document says holds for the text as it is sent.
 */
export function plainText(longest: number) {
  return z
    .string()
    .max(longest, `${longest} characters at most`)
    .regex(noControlCharacters, "leave out line breaks and control characters")
    .trim();
}
