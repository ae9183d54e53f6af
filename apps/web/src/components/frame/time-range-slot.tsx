/** The place of the time range in the bar. Empty on pages that show no time. */
export function TimeRangeSlot() {
  return null;
}
