import { isAlias, isMap, isPair, isScalar, isSeq, parseAllDocuments } from "yaml";

const mostNodes = 20_000;
const mostDepth = 20;
/**
 * The most lines and YAML indicators. A kubeconfig of a hundred clusters has half as many; the time that yaml takes
 * grows with their square.
 */
const mostMarks = 10_000;
const marks = /[\n\r,:[\]{}?&*!|>]|- /g;

/** NotYaml explains why a text is not accepted, without quoting the text. */
class NotYaml extends Error {}

/**
 * parseKubeconfig reads the YAML of one kubeconfig: plain maps, lists and texts. All other YAML features are refused:
 * an attacker could use them to make us read something other than a person does, or never finish.
 */
export function parseKubeconfig(text: string): { document: unknown } | { problem: string } {
  try {
    return { document: parse(text) };
  } catch (error) {
    if (error instanceof NotYaml) return { problem: error.message };
    // For example nesting so deep that the parser overflows.
    return { problem: "This can't be read as YAML. Paste what kubectl config view --minify --flatten --raw prints." };
  }
}

function parse(text: string): unknown {
  if ((text.match(marks)?.length ?? 0) > mostMarks)
    throw new NotYaml("There is more in it than in any kubeconfig. Paste that of one cluster.");
  // Checking for duplicate keys is left to toObject(), which does it in one pass.
  const options = { uniqueKeys: false, prettyErrors: false, merge: false, version: "1.2", logLevel: "silent" } as const;
  const documents = parseAllDocuments(text, options);
  const [document, ...others] = Array.isArray(documents) ? documents : [];
  if (!document) throw new NotYaml("It is empty. Paste the whole kubeconfig.");
  if (others.length > 0)
    throw new NotYaml(`There are ${others.length + 1} YAML documents in it. Paste one kubeconfig alone.`);
  const [error] = document.errors;
  if (error) {
    const line = text.slice(0, error.pos[0]).split("\n").length;
    throw new NotYaml(`This is no YAML from line ${line} on. Paste the whole kubeconfig, with its indentation.`);
  }
  let count = 0;
  return toValue(document.contents, 0);

  function toValue(node: unknown, depth: number): unknown {
    if (++count > mostNodes)
      throw new NotYaml("There is more in it than in any kubeconfig. Paste that of one cluster.");
    if (depth > mostDepth) throw new NotYaml("This is nested more deeply than any kubeconfig. Paste that alone.");
    if (node === null || node === undefined) return null;
    if (isAlias(node))
      throw new NotYaml("It has aliases (*), which no kubeconfig needs. Write out what they stand for.");
    refuseMarks(node);
    if (isScalar(node)) return node.value;
    if (isSeq(node)) return node.items.map((item) => toValue(item, depth + 1));
    if (isMap(node)) return toObject(node.items, depth);
    throw new NotYaml("It has something in it that no kubeconfig has. Paste that alone.");
  }

  function toObject(items: unknown[], depth: number): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    for (const item of items) {
      if (!isPair(item)) throw new NotYaml("It has something in it that no kubeconfig has. Paste that alone.");
      const key = toValue(item.key, depth + 1);
      if (typeof key !== "string") throw new NotYaml("It has a field whose name is no text. Paste a kubeconfig alone.");
      if (key === "<<")
        throw new NotYaml("It has merge keys (<<), which no kubeconfig needs. Write out what they bring.");
      if (entries.has(key))
        throw new NotYaml(`It has the field ${key.slice(0, 60)} twice in one place. Leave one of them.`);
      entries.set(key, toValue(item.value, depth + 1));
    }
    return Object.fromEntries(entries);
  }
}

function refuseMarks(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  if ("anchor" in node && node.anchor) throw new NotYaml("It has anchors (&), which no kubeconfig needs. Remove them.");
  if ("tag" in node && node.tag) throw new NotYaml("It has tags (!), which no kubeconfig needs. Remove them.");
}
