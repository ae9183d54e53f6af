import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { aMap, Edge, exposureId } from "@fairlead/client/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { buildClient } from "./build-client.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-packed-"));
const consumer = path.join(folder, "consumer");
const installed = path.join(consumer, "node_modules/@fairlead/client");
const nodes = [...new Set([process.execPath, ...nodesOnPath()])];
let files: string[] = [];
let edge: Edge;

beforeAll(async () => {
  edge = await new Edge(aMap(1)).open();
  buildClient(path.join(folder, "built"));
  const packed = npm(folder, "pack", "--json", "--pack-destination", folder, path.join(folder, "built"));
  const [{ filename, files: list }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
  files = list.map((each) => each.path);
  mkdirSync(consumer);
  writeFileSync(path.join(consumer, "package.json"), '{"name":"consumer","private":true}');
  npm(consumer, "install", "--offline", "--ignore-scripts", path.join(folder, filename));
});

afterAll(async () => {
  await edge?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the published package", () => {
  it("contains only the files that it needs", () => {
    const odd = files.filter((file) => !/^(package\.json|README\.md|LICENSE|.*\.js|.*\.d\.ts)$/.test(file));
    expect(odd).toEqual([]);
    expect(files.filter((file) => /\.test\.|testing/.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(["index.js", "index.d.ts", "cli/main.js", "README.md", "LICENSE"]));
  });

  it("imports only its own files", () => {
    const imports = files
      .filter((file) => /\.(js|d\.ts)$/.test(file))
      .flatMap((file) => {
        const text = readFileSync(path.join(installed, file), "utf8");
        return [...text.matchAll(/(?:from |import\()"([^"]+)"/g)].map(([, name = ""]) =>
          name.startsWith(".") ? path.join(path.dirname(file), name) : name,
        );
      });
    expect(imports.filter((name) => !name.startsWith("node:") && !files.includes(name))).toEqual([]);
  });

  it("has the right name and license, and no dependencies", () => {
    const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ name: "@fairlead/client", license: JSON.parse(read("package.json")).license });
    expect(manifest).not.toHaveProperty("private");
    expect(manifest).not.toHaveProperty("dependencies");
    expect(manifest).not.toHaveProperty("devDependencies");
    expect(existsSync(path.join(consumer, "node_modules/ioredis"))).toBe(false);
  });
});

describe.each(nodes)("with %s", (node) => {
  const use = `
    const mapper = new AddressMapper({ url: ${JSON.stringify("URL")}, exposureId: "${exposureId}", apiKey: "fl_right", unref: true });
    mapper.start().then(() => console.log(JSON.stringify(mapper.map("10.0.5.5", 11222))));`;
  const expected = '{"host":"203.0.113.5","port":30005}\n';

  it("is imported, works, and lets the process end by itself", async () => {
    const script = `import { AddressMapper } from "@fairlead/client"; import "@fairlead/client/announce";${use}`;
    expect(await run(node, ["--input-type=module", "-e", script.replace("URL", edge.url)])).toEqual([0, expected]);
  });

  it("is required by CommonJS", async () => {
    const script = `const { AddressMapper } = require("@fairlead/client"); require("@fairlead/client/announce");${use}`;
    expect(await run(node, ["--input-type=commonjs", "-e", script.replace("URL", edge.url)])).toEqual([0, expected]);
  });

  it("provides its command", async () => {
    const args = ["announce", "--exposure", exposureId, "--instance", "grid-5", "--format", "env", "--out", "-"];
    const bin = path.join(consumer, "node_modules/.bin/fairlead-client");
    const [code, text] = await run(node, [realpathSync(bin), ...args]);
    expect([code, text]).toEqual([0, "EXTERNAL_HOST=203.0.113.5\nEXTERNAL_PORT_HOTROD=30005\n"]);
    // Run by its shebang line, like in a shell.
    expect(spawnSync(bin, ["--help"], { env: { PATH: path.dirname(node) }, encoding: "utf8" }).stdout).toContain(
      "--watch",
    );
  });
});

it("the examples of its README compile in strict mode", () => {
  const blocks = [...read("packages/client/README.md").matchAll(/```ts\n([\s\S]*?)```/g)].map(
    (match) => match[1] ?? "",
  );
  expect(blocks.length).toBeGreaterThan(3);
  for (const name of ["ioredis", "@types"])
    symlinkSync(path.join(root, "node_modules", name), path.join(consumer, "node_modules", name));
  for (const [i, block] of blocks.entries()) writeFileSync(path.join(consumer, `example-${i}.ts`), block);
  const options = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true },
    ...{ module: "NodeNext", target: "ES2022", types: ["node"], skipLibCheck: false, moduleDetection: "force" },
  };
  writeFileSync(
    path.join(consumer, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: blocks.map((_, i) => `example-${i}.ts`) }),
  );
  writeFileSync(path.join(consumer, "package.json"), '{"name":"consumer","private":true,"type":"module"}');
  const { stdout } = spawnSync(path.join(root, "node_modules/.bin/tsc"), ["-p", consumer], { encoding: "utf8" });
  expect(stdout).toBe("");
});

function run(node: string, args: string[]): Promise<[code: number | null, text: string]> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, FAIRLEAD_URL: edge.url, FAIRLEAD_API_KEY: edge.key };
    const child = spawn(node, args, { cwd: consumer, env, timeout: 60_000 });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        text += String(chunk);
      });
    child.once("close", (code) => resolve([code, text]));
  });
}

function npm(cwd: string, ...args: string[]): string {
  const env = { ...process.env, npm_config_cache: path.join(folder, "cache"), npm_config_update_notifier: "false" };
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm ${args[0]}: ${stdout}${stderr}`);
  return stdout;
}

/** The machine's Node is often older than the repository's: both must work. */
function nodesOnPath(): string[] {
  return (process.env.PATH ?? "")
    .split(path.delimiter)
    .filter((folder) => folder && !folder.includes("node_modules"))
    .map((folder) => path.join(folder, "node"))
    .filter((file) => existsSync(file) && isPromised(file));
}

function isPromised(node: string): boolean {
  const [major = 0, minor = 0] = (spawnSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }).stdout ?? "")
    .split(".")
    .map(Number);
  return major > 20 || (major === 20 && minor >= 19);
}
