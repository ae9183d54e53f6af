import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(root, file), "latin1");

describe("licenses", () => {
  it("every package states the license of the repository", () => {
    const manifests = list("*package.json");
    const unlike = manifests.filter((file) => JSON.parse(read(file)).license !== "Apache-2.0");
    expect(manifests).toContain("packages/client/package.json");
    expect(unlike).toEqual([]);
    expect(read("LICENSE")).toMatch(/^ +Apache License\n +Version 2\.0, January 2004\n/);
  });

  it("every C file starts with the license of programs for the kernel", () => {
    const files = list("*.c", "*.h");
    const line = "// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause\n";
    expect(files).toContain("agents/internal/balancer/datapath/bpf/program/tcx.bpf.c");
    expect(files.filter((file) => !read(file).startsWith(line))).toEqual([]);
  });

  it("every compiled program states the same to the kernel", () => {
    const objects = list("*_bpfel.o");
    expect(objects).toHaveLength(list("*.bpf.c").length);
    expect(objects.filter((file) => !read(file).includes("\0Dual BSD/GPL\0"))).toEqual([]);
  });

  it("the text of each license is in the repository", () => {
    expect(list("LICENSES/*")).toEqual(["LICENSES/BSD-2-Clause.txt", "LICENSES/GPL-2.0-only.txt"]);
  });
});

function list(...patterns: string[]): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...patterns];
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
}
