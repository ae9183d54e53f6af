import path from "node:path";
import { importSpecifiers } from "../../import-specifiers.ts";
import type { Repository } from "./repository.ts";

/** Folders that are too general to count as a dependency when a source names them. */
const tooWide = new Set(["packages", "apps", "tools", "docs"]);

const isSource = (file: string) => /\.(ts|tsx|mts|mjs|js)$/.test(file);

/**
 * ImportGraph has the dependencies of each TypeScript source: what it imports, and every file or folder of the repository
 * that it names in a string, because programs are started and data is read by path.
 */
export class ImportGraph {
  readonly #files: ReadonlySet<string>;
  readonly #folders = new Map<string, string[]>();
  readonly #imports = new Map<string, string[]>();
  readonly #references = new Map<string, string[]>();
  readonly #exports: ReadonlyMap<string, string>;

  constructor({ files, read }: Repository) {
    this.#files = new Set(files);
    for (const file of files)
      for (const folder of foldersOf(file)) this.#folders.set(folder, [...(this.#folders.get(folder) ?? []), file]);
    this.#exports = readExports(files, read);
    for (const file of files.filter(isSource)) {
      const text = read(file);
      const imported = importSpecifiers(text).flatMap((specifier) => this.#resolve(file, specifier) ?? []);
      this.#imports.set(file, imported);
      this.#references.set(file, [...imported, ...this.#namedIn(file, text), ...this.#dataBeside(file)]);
    }
  }

  get sources(): string[] {
    return [...this.#imports.keys()];
  }

  /** importsOf returns the files of the repository that a source imports, types included. */
  importsOf(file: string): readonly string[] {
    return this.#imports.get(file) ?? [];
  }

  /** closure returns the files that the given ones depend on, themselves included. */
  closure(entries: readonly string[]): Set<string> {
    const found = new Set<string>();
    const open = [...entries];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (found.has(file)) continue;
      found.add(file);
      open.push(...(this.#references.get(file) ?? []));
    }
    return found;
  }

  #resolve(file: string, specifier: string): string | null {
    if (specifier.startsWith("@fairlead/")) return this.#exports.get(specifier) ?? null;
    const base = specifier.startsWith("@/")
      ? `apps/web/src/${specifier.slice(2)}`
      : specifier.startsWith(".")
        ? path.posix.join(path.posix.dirname(file), specifier)
        : null;
    if (base === null) return null;
    const endings = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"];
    return endings.map((ending) => `${base}${ending}`).find((name) => this.#files.has(name)) ?? null;
  }

  /** Paths in strings: from the root ("apps/controller/src/main.ts"), or from the file's own folder ("../proto"). */
  #namedIn(file: string, text: string): string[] {
    const folder = path.posix.dirname(file);
    const own = new Set(foldersOf(file));
    return pathsIn(text).flatMap((named) => {
      const candidates = named.startsWith(".") ? [path.posix.join(folder, named)] : [named, `${folder}/${named}`];
      return candidates.flatMap((candidate) => {
        const known = this.#nearestKnown(candidate);
        if (known === null || own.has(known)) return [];
        // A program that runs a binary built from a folder doesn't use its tests.
        return this.#folders.get(known)?.filter((file) => !file.endsWith("_test.go")) ?? [known];
      });
    });
  }

  /**
   * A build output, such as agents/bin/fairlead-agent, represents the folder that it is built from.
   */
  #nearestKnown(named: string): string | null {
    const known = [named, ...foldersOf(named)].find((each) => this.#files.has(each) || this.#folders.has(each));
    return known === undefined || tooWide.has(known) ? null : known;
  }

  /** Data in the folder of a source, and below it where there are no sources, is read by that source. */
  #dataBeside(file: string): string[] {
    const folder = path.posix.dirname(file);
    return (this.#folders.get(folder) ?? []).filter((other) => {
      if (isSource(other) || other.endsWith(".md")) return false;
      const nearest = foldersOf(other).find((each) =>
        this.#folders.get(each)?.some((file) => path.posix.dirname(file) === each && isSource(file)),
      );
      return nearest === folder;
    });
  }
}

/** pathsIn returns strings with a slash, and single words if a path is joined from them. */
function pathsIn(text: string): string[] {
  const withSlash = [...text.matchAll(/["'`]([\w@.-]+(?:\/[\w@.[\]()-]+)+)["'`]/g)];
  const joined = [...text.matchAll(/\b(?:join|resolve)\(([^()]*)\)/g)].flatMap(([, parts = ""]) => [
    ...parts.matchAll(/["'`]([\w-]+)["'`]/g),
  ]);
  return [...withSlash, ...joined].flatMap(([, named]) => (named ? [named] : []));
}

/** foldersOf lists the folders above a file, the nearest first, without the root. */
function foldersOf(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, i) => parts.slice(0, parts.length - i).join("/"));
}

function readExports(files: readonly string[], read: Repository["read"]): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of files.filter((name) => /^(packages|apps)\/[^/]+\/package\.json$/.test(name))) {
    const { name, exports = {} } = JSON.parse(read(file)) as { name: string; exports?: Record<string, string> };
    for (const [entry, target] of Object.entries(exports))
      found.set(path.posix.join(name, entry), path.posix.join(path.posix.dirname(file), target));
  }
  return found;
}
