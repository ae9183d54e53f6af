import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { importSpecifiers } from "./import-specifiers.ts";

const root = path.resolve(import.meta.dirname, "..");

/** Allowed imports. A function that seems to need an upward import is probably pure and belongs in domain. */
const allowed: Record<string, string[]> = {
  "packages/domain": [],
  "packages/agent-protocol": [],
  "packages/telemetry": [],
  // Published without the other packages.
  "packages/client": [],
  "packages/http": [],
  "packages/db": ["domain"],
  "packages/services": ["domain", "db", "http"],
  // The formats that servers announce are implemented once, in the client.
  "packages/drivers": ["domain", "client", "http"],
  "packages/reconciler": ["domain", "db", "services", "drivers", "telemetry"],
  "packages/api": ["domain", "services"],
  "packages/launcher": ["domain", "db", "services"],
  "apps/controller": ["domain", "db", "services", "drivers", "reconciler", "agent-protocol", "telemetry"],
  // On these pages no user is signed in yet, so no procedure can be called.
  "apps/web/src/app/(auth)": ["domain", "services"],
  // Only the server side of the web composes services; its pages and components use the API.
  "apps/web/src/server": ["api", "domain", "services", "db", "telemetry"],
  "apps/web": ["api", "domain"],
};

/** npm packages that a package may import, if that is the purpose of the package. */
const allowedFromNpm: Record<string, string[]> = {
  "packages/domain": ["zod"],
  "packages/client": [],
};

type Import = { file: string; specifier: string };

describe("the arrows between packages", () => {
  for (const [folder, may] of Object.entries(allowed)) {
    it(`${folder} imports only ${may.join(", ") || "no other package"}`, () => {
      const wrong = importsOf(folder).filter(({ file, specifier }) => {
        const [, name] = /^@fairlead\/([^/]+)/.exec(specifier) ?? [];
        return name !== undefined && !isTest(file) && !may.includes(name);
      });
      expect(wrong).toEqual([]);
    });
  }

  it("are given for every package", () => {
    const packages = ["packages", "apps"].flatMap((parent) =>
      readdirSync(path.join(root, parent)).map((name) => `${parent}/${name}`),
    );
    const existing = packages.filter((folder) => existsSync(path.join(root, folder, "package.json")));
    expect([...new Set(Object.keys(allowed).map(packageOf))].toSorted()).toEqual(existing.toSorted());
  });

  it("match ARCHITECTURE.md", () => {
    const table = readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
    const rows = [...table.matchAll(/^\| `((?:packages|apps)\/[\w-]+)` \|.*\| ([^|]*?) ?\|$/gm)];
    const documented = rows.map(([, folder = "", names = ""]): [string, string[]] => {
      const [imports = ""] = names.split(" (");
      return [folder, imports.split(", ").filter((name) => name && !allowedFromNpm[folder]?.includes(name))];
    });
    const folders = Object.entries(allowed).filter(([folder]) => packageOf(folder) === folder);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(folders));
  });

  it("domain imports only zod from npm, and the client nothing", () => {
    for (const [folder, may] of Object.entries(allowedFromNpm)) {
      const wrong = importsOf(folder).filter(
        ({ file, specifier }) => !isTest(file) && !/^[.@]|^node:/.test(specifier) && !may.includes(specifier),
      );
      expect(wrong).toEqual([]);
    }
  });

  it("domain runs in a browser too: code that needs Node has a separate entry point", () => {
    const withNode = importsOf("packages/domain").filter(
      ({ file, specifier }) => !isTest(file) && /^node:/.test(specifier),
    );
    expect(withNode.map(({ file }) => file)).toEqual(["packages/domain/src/cost/prices/seed/read-price-seed.ts"]);
    const onIt = importsOf("packages/domain").filter(
      ({ file, specifier }) => !isTest(file) && specifier.includes("read-price-seed"),
    );
    const inPages = importsOf("apps/web").filter(({ specifier }) => specifier.includes("price-seed"));
    expect([...onIt, ...inPages]).toEqual([]);
  });

  it("only tests import a package's testing entry point", () => {
    const wrong = Object.keys(allowed)
      .flatMap(importsOf)
      .filter(({ file, specifier }) => !isTest(file) && /^@fairlead\/[^/]+\/testing/.test(specifier));
    expect(wrong).toEqual([]);
  });

  it("no relative import leaves its package", () => {
    const wrong = Object.keys(allowed)
      .flatMap((folder) => importsOf(folder).map((each) => ({ ...each, folder: packageOf(folder) })))
      .filter(
        ({ file, specifier, folder }) =>
          specifier.startsWith(".") && !path.join(path.dirname(file), specifier).startsWith(`${folder}/`),
      );
    expect(wrong).toEqual([]);
  });
});

function packageOf(folder: string): string {
  return folder.split("/").slice(0, 2).join("/");
}

function isTest(file: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(file) || file.includes("/testing/") || file.includes("/e2e/");
}

/** importsOf excludes folders that have a longer entry in the table: apps/web/src/server is not apps/web. */
function importsOf(folder: string): Import[] {
  const inner = Object.keys(allowed).filter((other) => other.startsWith(`${folder}/`));
  return sourcesIn(folder)
    .filter((file) => !inner.some((other) => file.startsWith(`${other}/`)))
    .flatMap((file) => specifiersOf(file).map((specifier) => ({ file, specifier })));
}

function sourcesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const relative = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return /^(node_modules|\.next(-builds)?|generated)$/.test(entry.name) ? [] : sourcesIn(relative);
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts") ? [relative] : [];
  });
}

function specifiersOf(file: string): string[] {
  return importSpecifiers(readFileSync(path.join(root, file), "utf8"));
}
