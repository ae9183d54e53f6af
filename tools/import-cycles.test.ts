import path from "node:path";
import { describe, expect, it } from "vitest";
import { findCycles } from "./find-cycles.ts";
import { ImportGraph } from "./test/since/import-graph.ts";
import { openRepository } from "./test/since/repository.ts";

describe("imports", () => {
  it("have no cycles", () => {
    const graph = new ImportGraph(openRepository(path.resolve(import.meta.dirname, "..")));
    const isOurs = (file: string) => !file.includes("/generated/");
    const sources = graph.sources.filter(isOurs);
    expect(sources.length).toBeGreaterThan(1_000);
    expect(findCycles(sources, (file) => graph.importsOf(file).filter(isOurs))).toEqual([]);
  });
});

describe("findCycles", () => {
  const find = (imports: Record<string, string[]>) => findCycles(Object.keys(imports), (file) => imports[file] ?? []);

  it("names the files of each cycle", () => {
    expect(find({ a: ["b"], b: ["c"], c: ["a", "d"], d: [], e: ["f"], f: ["e"], g: ["g"] })).toEqual([
      ["a", "b", "c"],
      ["e", "f"],
      ["g"],
    ]);
  });

  it("doesn't report two paths to the same file", () => {
    expect(find({ a: ["b", "c"], b: ["d"], c: ["d"], d: [] })).toEqual([]);
  });
});
