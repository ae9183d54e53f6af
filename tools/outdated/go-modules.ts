import { execFileSync } from "node:child_process";
import path from "node:path";
import { compareVersions } from "./compare-versions.ts";
import { containerImages } from "./container-images.ts";
import type { Lookup } from "./pin.ts";
import { run } from "./run.ts";

type GoMod = {
  Require?: { Path: string; Indirect?: boolean }[] | null;
  Tool?: { Path: string }[] | null;
  Replace?: { Old: { Path: string }; New: { Version?: string } }[] | null;
};

/** findGoModules lists the direct requirements of each go.mod, and the Go release that the images are built with. */
export async function findGoModules(root: string): Promise<Lookup> {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "go.mod", "**/go.mod"], {
    cwd: root,
    encoding: "utf8",
  });
  const existing = files.split("\n").filter(Boolean);
  const lookups = await Promise.all([...existing.map((file) => findInModule(root, file)), findGoRelease(root)]);
  return { pins: lookups.flatMap(({ pins }) => pins), failed: [...new Set(lookups.flatMap(({ failed }) => failed))] };
}

/** directModules are required by our own code or provide a tool; indirect ones follow from them. */
export function directModules({ Require, Tool, Replace }: GoMod): string[] {
  const tools = (Tool ?? []).map((tool) => tool.Path);
  const local = (Replace ?? []).filter(({ New }) => !New.Version).map(({ Old }) => Old.Path);
  return (Require ?? [])
    .filter(({ Path, Indirect }) => !Indirect || tools.some((tool) => tool === Path || tool.startsWith(`${Path}/`)))
    .map(({ Path }) => Path)
    .filter((name) => !local.includes(name));
}

async function findInModule(root: string, file: string): Promise<Lookup> {
  const folder = path.join(root, path.dirname(file));
  const described = await run("go", ["mod", "edit", "-json"], folder);
  if (described.error) return { pins: [], failed: [`Go modules of ${file}: ${described.error}`] };
  const names = directModules(JSON.parse(described.stdout) as GoMod);
  if (names.length === 0) return { pins: [], failed: [] };
  const format = "{{.Path}} {{.Version}} {{with .Update}}{{.Version}}{{end}}";
  const { stdout, error } = await run("go", ["list", "-m", "-u", "-mod=readonly", "-f", format, ...names], folder);
  const pins = stdout.split("\n").flatMap((line) => {
    const [name, have, newest] = line.trim().split(" ");
    return name && have && newest ? [{ name, have, newest, where: file }] : [];
  });
  return { pins, failed: error ? [`Go modules of ${file}: ${error}`] : [] };
}

/** findGoRelease queries the module proxy, which also lists the releases of Go. */
async function findGoRelease(root: string): Promise<Lookup> {
  const image = containerImages(root).find(({ name }) => name === "golang");
  const have = /^[\d.]+/.exec(image?.tag ?? "")?.[0];
  if (!image || !have) return { pins: [], failed: [] };
  const { stdout, error } = await run("go", ["list", "-m", "-versions", "go"], path.join(root, "agents"));
  if (error) return { pins: [], failed: [`Go itself: ${error}`] };
  const releases = stdout.split(/\s+/).filter((word) => /^\d+\.\d+\.\d+$/.test(word));
  const newest = releases.sort(compareVersions).at(-1) ?? have;
  return { pins: [{ name: "go", have, newest, where: image.where, versions: releases }], failed: [] };
}
