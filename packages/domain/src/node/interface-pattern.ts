import { z } from "zod";

/** interfacePattern names network interfaces of a node: a star stands for any text, everything else for itself. */
export const interfacePattern = z
  .string()
  .min(1, "give a name or a pattern")
  .max(64, "64 characters at most")
  .regex(/^ *[\w.:@+*-]+ *$/, "use letters, digits and . _ : @ + -; a * stands for any text")
  .trim();

/**
 * matchesInterfacePattern reads a pattern as the agents do (agents/internal/node/pattern.go); both are held to
 * agents/internal/node/testdata/interface-patterns.json.
 */
export function matchesInterfacePattern(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return name.slice(from).endsWith(last);
}
