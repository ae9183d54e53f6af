import { z } from "zod";

/** interfacePattern matches network interfaces of a node: a * matches any text, everything else is literal. */
export const interfacePattern = z
  .string()
  .min(1, "enter a name or a pattern")
  .max(64, "64 characters at most")
  .regex(/^ *[\w.:@+*-]+ *$/, "use letters, digits and . _ : @ + -; a * matches any text")
  .trim();

/**
 * matchesInterfacePattern matches like the agents (agents/internal/node/pattern.go); both are tested with
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
