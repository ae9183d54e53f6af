type Visit = { index: number; lowest: number; isOpen: boolean };

/**
 * findCycles returns the groups of files that import each other, directly or indirectly (Tarjan's
 * algorithm).
 */
export function findCycles(files: readonly string[], importsOf: (file: string) => readonly string[]): string[][] {
  const visits = new Map<string, Visit>();
  const open: string[] = [];
  const cycles: string[][] = [];

  function visit(file: string): Visit {
    const own: Visit = { index: visits.size, lowest: visits.size, isOpen: true };
    visits.set(file, own);
    open.push(file);
    for (const imported of importsOf(file)) {
      const other = visits.get(imported);
      if (!other) own.lowest = Math.min(own.lowest, visit(imported).lowest);
      else if (other.isOpen) own.lowest = Math.min(own.lowest, other.index);
    }
    if (own.lowest === own.index) close(file);
    return own;
  }

  function close(first: string): void {
    const group = open.splice(open.indexOf(first));
    for (const file of group) {
      const visited = visits.get(file);
      if (visited) visited.isOpen = false;
    }
    if (group.length > 1 || importsOf(first).includes(first)) cycles.push(group.sort());
  }

  for (const file of files) if (!visits.has(file)) visit(file);
  return cycles;
}
