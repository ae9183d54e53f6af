import { z } from "zod";

// Lists the excluded characters, not the allowed ones: a range up to the last code point would differ between JavaScript
// and readers of the OpenAPI document, where 🚢 is one character instead of two.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the rejected characters
const noControlCharacters = /^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/;
const directionControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * plainText is one line of text. Control characters are rejected: they are mistakes, and PostgreSQL can't store NUL. Those
 * that set the text direction are invisible and reorder what is shown, so that one name can look like another. It is
 * trimmed last, so the documented limits apply to the text as sent.
 */
export function plainText(longest: number) {
  return z
    .string()
    .max(longest, `${longest} characters at most`)
    .regex(noControlCharacters, "leave out line breaks and control characters, also those that set the text direction")
    .trim();
}

/** showDirectionControls makes these characters visible in text from elsewhere, such as a report, that is not rejected. */
export function showDirectionControls(text: string): string {
  return text.replaceAll(directionControls, (each) => `\\u{${each.charCodeAt(0).toString(16).padStart(4, "0")}}`);
}
