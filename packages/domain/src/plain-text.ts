import { z } from "zod";

// Lists the excluded characters, not the allowed ones: a range up to the last code point would differ between JavaScript
// and readers of the OpenAPI document, where 🚢 is one character instead of two.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the rejected characters
const noControlCharacters = /^[^\u0000-\u001f\u007f-\u009f]*$/;

/**
 * plainText is one line of text. Control characters are rejected: they are mistakes, and PostgreSQL can't store NUL. It is
 * trimmed last, so the documented limits apply to the text as sent.
 */
export function plainText(longest: number) {
  return z
    .string()
    .max(longest, `${longest} characters at most`)
    .regex(noControlCharacters, "leave out line breaks and control characters")
    .trim();
}
