type Labels = Record<string, string>;

/** changeLabels returns labels with some set and some removed. */
export function changeLabels(before: Labels, { set, remove }: { set: Labels; remove: readonly string[] }): Labels {
  return { ...Object.fromEntries(Object.entries(before).filter(([name]) => !remove.includes(name))), ...set };
}

/** parseNames reads names that are separated by commas or lines. */
export function parseNames(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
