import { execFileSync } from "node:child_process";
import path from "node:path";

export type GoPackage = {
  /** Its folder, from the root of the repository. */
  folder: string;
  importPath: string;
  /** All packages of the module that it or its tests depend on, by import path. */
  deps: readonly string[];
};

type Listed = {
  ImportPath: string;
  Dir: string;
  ForTest?: string;
  Imports?: string[];
  TestImports?: string[];
  XTestImports?: string[];
};

/** listGoPackages returns the packages of the agents' module with their dependencies. */
export function listGoPackages(root: string): GoPackage[] {
  const printed = execFileSync("go", ["list", "-json=ImportPath,Dir,Imports,TestImports,XTestImports", "./..."], {
    cwd: path.join(root, "agents"),
    encoding: "utf8",
    maxBuffer: 64_000_000,
  });
  const listed = JSON.parse(`[${printed.trim().replace(/\n}\n{/g, "\n},\n{")}]`) as Listed[];
  const imports = new Map(listed.map((each) => [each.ImportPath, each.Imports ?? []]));
  return listed.map(({ ImportPath, Dir, Imports = [], TestImports = [], XTestImports = [] }) => ({
    importPath: ImportPath,
    folder: path.relative(root, Dir),
    deps: [...closure([...Imports, ...TestImports, ...XTestImports], imports)],
  }));
}

function closure(entries: readonly string[], imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set<string>();
  const open = [...entries];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name) || !imports.has(name)) continue;
    found.add(name);
    open.push(...(imports.get(name) ?? []));
  }
  return found;
}

/** affectedPackages returns the packages that a change to some files can affect: by import, or by a file below their folder. */
export function affectedPackages(packages: readonly GoPackage[], changed: readonly string[]): GoPackage[] {
  const isWhole = (file: string) => /^agents\/(go\.mod|go\.sum|package\.json)$/.test(file);
  if (changed.some(isWhole)) return [...packages];
  const touched = new Set(
    changed.flatMap((file) => {
      const nearest = packages
        .filter(({ folder }) => file.startsWith(`${folder}/`))
        .sort((a, b) => b.folder.length - a.folder.length)[0];
      return nearest ? [nearest.importPath] : [];
    }),
  );
  return packages.filter(({ importPath, deps }) => touched.has(importPath) || deps.some((dep) => touched.has(dep)));
}
