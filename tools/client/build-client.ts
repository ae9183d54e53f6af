import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const source = path.join(root, "packages/client");

type Manifest = Record<string, unknown> & { exports: Record<string, string> };

/** The published entry points, and the published command. */
const published = [".", "./announce"];
const command = "cli/main.js";

/**
 * buildClient writes the published package: JavaScript, types, README, license and a manifest with
 * their paths. Inside the repository nothing is built: there the client is imported as source.
 */
export function buildClient(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tsc = path.join(root, "node_modules/.bin/tsc");
  const { status, stdout, stderr } = spawnSync(
    tsc,
    ["-p", path.join(source, "tsconfig.build.json"), "--outDir", folder],
    {
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    if (file.endsWith(".d.ts")) pointAtBuilt(path.join(folder, file));
  chmodSync(path.join(folder, command), 0o755);
  copyFileSync(path.join(source, "README.md"), path.join(folder, "README.md"));
  copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  const manifest = publishedManifest(JSON.parse(readFileSync(path.join(source, "package.json"), "utf8")) as Manifest);
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The compiler rewrites imports in JavaScript only; types would still refer to sources that aren't published. */
function pointAtBuilt(file: string): void {
  const text = readFileSync(file, "utf8").replace(/((?:from |import\()"\.{1,2}\/[^"]+)\.ts"/g, '$1.js"');
  writeFileSync(file, text);
}

/** publishedManifest omits what is only for the repository, and refers to the built files. */
export function publishedManifest(manifest: Manifest): Record<string, unknown> {
  const { private: _, scripts, devDependencies, exports, ...rest } = manifest;
  const built = published.map((name): [string, object] => {
    const file = exports[name]?.replace(/^\.\/src\//, "./").replace(/\.ts$/, "");
    if (!file) throw new Error(`package.json exports no ${name}.`);
    return [name, { types: `${file}.d.ts`, default: `${file}.js` }];
  });
  return {
    ...rest,
    exports: { ...Object.fromEntries(built), "./package.json": "./package.json" },
    bin: { "fairlead-client": command },
    files: ["**/*.js", "**/*.d.ts"],
  };
}
