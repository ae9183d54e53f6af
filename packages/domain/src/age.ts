const units = [
  { ms: 86_400_000, sign: "d" },
  { ms: 3_600_000, sign: "h" },
  { ms: 60_000, sign: "min" },
  { ms: 1_000, sign: "s" },
] as const;

/** describeAge formats a duration in the largest unit that fits: "12 s", "3 min", "5 h", "2 d". A negative one, from a clock slightly ahead, is "0 s". */
export function describeAge(ageMs: number): string {
  const unit = units.find((each) => ageMs >= each.ms) ?? units[3];
  return `${Math.max(0, Math.floor(ageMs / unit.ms))} ${unit.sign}`;
}
