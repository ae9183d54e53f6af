/** headingIds returns a function that gives each heading of one page its anchor, by the rules of Git hosts. */
export function headingIds(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const id = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-");
    const before = seen.get(id) ?? 0;
    seen.set(id, before + 1);
    return before === 0 ? id : `${id}-${before}`;
  };
}
