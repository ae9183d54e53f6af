import { showDirectionControls } from "@fairlead/domain";

const longestText = 2_000;

/**
 * storable changes text rather than refuse it: PostgreSQL can't store the null character, and characters that set the
 * text direction would reorder what pages show around it. A text that was too long ends with an ellipsis.
 */
export function storable(text: string): string {
  const shown = showDirectionControls(text.replaceAll("\0", ""));
  return shown.length > longestText ? `${shown.slice(0, longestText - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : shown;
}

const largestRevision = 2 ** 31 - 1;

/** storableRevision is 0, as of none, for a revision that the control plane can't have sent. */
export function storableRevision(revision: number): number {
  return Number.isInteger(revision) && revision > 0 && revision <= largestRevision ? revision : 0;
}

const latest = new Date("9999-12-31T00:00:00Z");

/** storableTime is null for a time that PostgreSQL can't store, or that no clock should have. */
export function storableTime(at: Date | null): Date | null {
  return at !== null && at.getTime() >= 0 && at < latest ? at : null;
}
