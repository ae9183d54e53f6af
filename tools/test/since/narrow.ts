import path from "node:path";
import type { Command, Suite } from "../suite.ts";
import { affectedPackages, type GoPackage } from "./go-packages.ts";
import { ImportGraph } from "./import-graph.ts";
import type { Repository } from "./repository.ts";

export type Narrowed = { run: Suite[]; skipped: string[] };

/** A change to one of these may affect anything. */
const wide =
  /^(package(-lock)?\.json|\.npmrc|tsconfig(\.base)?\.json|vitest\.config\.ts|turbo\.json|\.ci\/|tools\/test\/)/;

type Change = { changed: readonly string[]; repository: Repository; packages: () => readonly GoPackage[] };

/** narrow returns the suites that a change can affect, each cut down to the affected files or packages where it can be. */
export function narrow(suites: readonly Suite[], { changed, repository, packages }: Change): Narrowed {
  if (changed.some((file) => wide.test(file))) return { run: [...suites], skipped: [] };
  const graph = new ImportGraph(withDeleted(repository, changed));
  const isGoChanged = changed.some((file) => file.startsWith("agents/"));
  const affectedGo = isGoChanged ? affectedPackages(packages(), changed) : [];
  const run: Suite[] = [];
  const skipped: string[] = [];
  for (const suite of suites) {
    const narrowed = narrowOne(suite, { changed: new Set(changed), repository, graph, affectedGo });
    if (narrowed) run.push(narrowed);
    else skipped.push(suite.name);
  }
  return { run, skipped };
}

/** withDeleted adds the names of deleted files, because sources that name their folder are affected. */
function withDeleted({ files, read }: Repository, changed: readonly string[]): Repository {
  const there = new Set(files);
  const deleted = changed.filter((file) => !there.has(file));
  return { files: [...files, ...deleted], read: (file) => (there.has(file) ? read(file) : "") };
}

type Known = {
  changed: ReadonlySet<string>;
  repository: Repository;
  graph: ImportGraph;
  affectedGo: readonly GoPackage[];
};

function narrowOne(suite: Suite, { changed, repository, graph, affectedGo }: Known): Suite | null {
  const { entries, exclude = [], packages, only } = suite.reads;
  if (!entries && !packages) return suite; // it reads everything, such as the linter
  const isEntry = (file: string) =>
    (entries ?? []).some((glob) => path.posix.matchesGlob(file, glob)) &&
    !exclude.some((glob) => path.posix.matchesGlob(file, glob));
  const files = repository.files.filter(isEntry).filter((file) => {
    // Importers of a deleted file have changed too, or no longer import it.
    for (const each of graph.closure([file])) if (changed.has(each)) return true;
    return false;
  });
  const inScope = affectedGo.filter(({ folder }) => (packages ?? []).some((pattern) => isUnder(folder, pattern)));
  const affected = [...files, ...inScope.map(({ folder }) => `./${path.posix.relative("agents", folder)}`)];
  if (affected.length === 0) return null;
  const command: Command = only ? only(affected) : suite.command;
  return { ...suite, command };
}

/** isUnder matches a Go pattern: ./internal/balancer/... is that package and all below it. */
function isUnder(folder: string, pattern: string): boolean {
  const base = path.posix.join("agents", pattern.replace(/\/?\.\.\.$/, ""));
  return folder === base || (pattern.endsWith("...") && (folder.startsWith(`${base}/`) || base === "agents/"));
}
