import { matchesInterfacePattern } from "@fairlead/domain/node";

/** splitPatterns parses patterns, separated by commas or white space. */
export function splitPatterns(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}

/** describePatterns lists the currently reported interfaces that the patterns exclude. */
export function describePatterns(text: string, reported: string[]): string {
  const patterns = splitPatterns(text);
  const hidden = reported.filter((name) => patterns.some((pattern) => matchesInterfacePattern(pattern, name)));
  const rule = "Comma-separated names; * matches any text.";
  return hidden.length > 0 ? `${rule} Currently reported interfaces that this excludes: ${hidden.join(", ")}.` : rule;
}
