import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { awsController, controlPlane, executableOf, moduleFolder, nodes } from "./programs.ts";

const goMod = readFileSync(path.join(moduleFolder("programs"), "go.mod"), "utf8");
const programs = [controlPlane, nodes, awsController].flatMap((set) => Object.values(set.programs));

it("all programs are built with the libraries of one Kubernetes version", () => {
  const [, minor] = /\bk8s\.io\/kubernetes v1\.(\S+)/.exec(goMod) ?? [];
  const libraries = [...goMod.matchAll(/^\t(k8s\.io\/\S+) => (\S+) (\S+)$/gm)];
  expect(libraries.length).toBeGreaterThan(30);
  for (const [, replaced, library, version] of libraries)
    expect([replaced, library, version]).toEqual([replaced, replaced, `v0.${minor}`]);
});

it("each program is a tool of its module, which updates its dependencies with it", () => {
  const tools = /^tool \(\n([^)]*)\)/m.exec(goMod)?.[1]?.trim().split(/\s+/);
  const packages = programs.flatMap((program) => (program.module === "programs" ? [program.package] : []));
  expect(tools).toEqual(packages.sort());
});

it("the metrics server is built with the libraries of the other programs, so that they are compiled once", () => {
  const ofServer = versionsOf(readFileSync(path.join(moduleFolder("metrics"), "go.mod"), "utf8"));
  const different = [...versionsOf(goMod)].filter(
    ([library, version]) => ofServer.has(library) && ofServer.get(library) !== version,
  );
  expect(ofServer.size).toBeGreaterThan(100);
  expect(different).toEqual([]);
});

/** versionsOf returns the version of each library that a module is built with. */
function versionsOf(goMod: string): Map<string, string> {
  const required = [...goMod.matchAll(/^\t(\S+) (v\S+)(?: \/\/ indirect)?$/gm)].map(([, ...each]) => each);
  const replaced = [...goMod.matchAll(/^\t(\S+) => \S+ (v\S+)$/gm)].map(([, ...each]) => each);
  return new Map([...required, ...replaced] as [string, string][]);
}

it("no two programs have an executable of the same name", () => {
  const names = programs.map(executableOf);
  expect(names).toContain("server"); // go.etcd.io/etcd/server/v3
  expect(new Set(names).size).toBe(names.length);
});
