import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { heldBack } from "./held-back.ts";
import { hold } from "./hold.ts";
import { workspaceManifests } from "./workspace-manifests.ts";

const root = path.resolve(import.meta.dirname, "../..");
const where = "package.json";
const node = { name: "node", below: "25.0.0", reason: "24 is supported for long" };
const sso = { name: "better-call", reason: "a peer" };

describe("hold", () => {
  it("lists what is behind and drops what is not", () => {
    const next = { name: "next", have: "16.4.5", newest: "16.4.6", where };
    const ahead = { name: "zod", have: "4.6.7", newest: "4.6.5", where };
    expect(hold([next, ahead, { ...next, have: "16.4.6" }], [node])).toEqual({ behind: [next], held: [] });
  });

  it("gives the reason for a held-back version", () => {
    const pin = { name: "better-call", have: "1.4.0", newest: "2.0.6", where };
    expect(hold([pin], [sso])).toEqual({ behind: [], held: [{ ...pin, reason: "a peer" }] });
  });

  it("still lists a newer version within the bound", () => {
    const versions = ["24.9.0", "24.22.0", "24.23.0-rc.1", "26.10.0"];
    const pin = { name: "node", have: "24.21.0", newest: "26.10.0", where, versions };
    expect(hold([pin], [node])).toEqual({
      behind: [{ ...pin, newest: "24.22.0" }],
      held: [{ ...pin, reason: node.reason }],
    });
  });

  it("does not hold back a version below the bound", () => {
    const pin = { name: "node", have: "24.21.0", newest: "24.22.0", where };
    expect(hold([pin], [node])).toEqual({ behind: [pin], held: [] });
  });
});

it("each held-back dependency is one that the repository pins", () => {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "go.mod", "**/go.mod"];
  const modules = execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
  const text = ["package.json", ...workspaceManifests(root), ...modules]
    .map((file) => readFileSync(path.join(root, file), "utf8"))
    .join("\n");
  const unknown = heldBack.filter(({ name }) => !text.includes(`"${name}"`) && !text.includes(`${name} `));
  expect(unknown.map(({ name }) => name)).toEqual([]);
});
