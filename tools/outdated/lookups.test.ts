import path from "node:path";
import { describe, expect, it } from "vitest";
import { directModules } from "./go-modules.ts";
import { readOutdated } from "./npm-packages.ts";
import { pinnedVersion, pythonTools } from "./python-tools.ts";

describe("npm outdated", () => {
  const places = new Map([["@trpc/server", ["apps/web/package.json", "packages/api/package.json"]]]);

  it("is read once for a package that several workspaces have", () => {
    const entry = { current: "11.22.1", wanted: "11.22.1", latest: "11.25.2", dependent: "web" };
    expect(readOutdated(JSON.stringify({ "@trpc/server": [entry, entry] }), null, places)).toEqual({
      pins: [
        {
          name: "@trpc/server",
          have: "11.22.1",
          newest: "11.25.2",
          where: "apps/web/package.json, packages/api/package.json",
        },
      ],
      failed: [],
    });
  });

  it.each([
    [JSON.stringify({ error: { code: "ENOTFOUND", summary: "no network" } }), null, "npm packages: no network"],
    ["", "spawn npm ENOENT", "npm packages: spawn npm ENOENT"],
    ["<html>", null, "npm packages: <html>"],
  ])("reports an invalid response: %s", (stdout, error, failed) => {
    expect(readOutdated(stdout, error, places)).toEqual({ pins: [], failed: [failed] });
  });

  it("returns nothing if nothing is outdated", () => {
    expect(readOutdated("{}", null, places)).toEqual({ pins: [], failed: [] });
  });
});

it("queries only direct requirements of a go.mod", () => {
  const modules = directModules({
    Require: [
      { Path: "golang.org/x/sys" },
      { Path: "k8s.io/kubernetes", Indirect: true },
      { Path: "k8s.io/api", Indirect: true },
      { Path: "github.com/eapache/channels" },
    ],
    Tool: [{ Path: "k8s.io/kubernetes/cmd/kubelet" }],
    Replace: [{ Old: { Path: "github.com/eapache/channels" }, New: {} }],
  });
  expect(modules).toEqual(["golang.org/x/sys", "k8s.io/kubernetes"]);
});

it.each(pythonTools)("finds the version of $name in $where", ({ where }) => {
  expect(pinnedVersion(path.resolve(import.meta.dirname, "../.."), where)).toMatch(/^\d+(\.\d+)+$/);
});
