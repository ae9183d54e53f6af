import { showDirectionControls } from "@fairlead/domain";

const longestText = 2_000;

/**
 * storable changes text rather than refuse it: PostgreSQL can't store the null character, and characters that set the
 * text direction would reorder what pages show around it.
 */
export function storable(text: string): string {
  return showDirectionControls(text.replaceAll("\0", "")).slice(0, longestText);
}
