/** importSpecifiers returns what a TypeScript source imports, exports from, or loads while it runs. */
export function importSpecifiers(text: string): string[] {
  return [...text.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\()["']([^"']+)["']/g)].flatMap((match) =>
    match[1] ? [match[1]] : [],
  );
}
