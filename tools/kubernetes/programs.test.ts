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

it("no two programs have an executable of the same name", () => {
  const names = programs.map(executableOf);
  expect(names).toContain("server"); // go.etcd.io/etcd/server/v3
  expect(new Set(names).size).toBe(names.length);
});
