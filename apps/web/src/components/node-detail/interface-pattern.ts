import { matchesInterfacePattern } from "@fairlead/domain";

/** splitPatterns reads what a person typed: patterns apart by commas or white space. */
export function splitPatterns(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}

/** describePatterns says what patterns would leave out of the interfaces that are reported now. */
export function describePatterns(text: string, reported: string[]): string {
  const patterns = splitPatterns(text);
  const hidden = reported.filter((name) => patterns.some((pattern) => matchesInterfacePattern(pattern, name)));
  const rule = "Names apart by commas; * stands for any text.";
  return hidden.length > 0 ? `${rule} Of those reported now, this leaves out ${hidden.join(", ")}.` : rule;
}
