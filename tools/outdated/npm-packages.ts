import { readFileSync } from "node:fs";
import path from "node:path";
import type { HeldBack } from "./held-back.ts";
import type { Lookup, Pin } from "./pin.ts";
import { run } from "./run.ts";
import { workspaceManifests } from "./workspace-manifests.ts";

type Outdated = { wanted: string; latest: string };

/** findNpmPackages lists outdated packages of the root and each workspace, from npm's configured registry. */
export async function findNpmPackages(root: string, heldBack: HeldBack[]): Promise<Lookup> {
  const { stdout, error } = await run("npm", ["outdated", "--json"], root);
  const { pins, failed } = readOutdated(stdout, error, placesOf(root));
  const bounded = new Set(heldBack.flatMap(({ name, below }) => (below ? [name] : [])));
  return {
    pins: await Promise.all(
      pins.map(async (pin) => (bounded.has(pin.name) ? { ...pin, versions: await versionsOf(root, pin.name) } : pin)),
    ),
    failed,
  };
}

/** readOutdated parses the output of `npm outdated --json`: one entry, or several if several workspaces have the package. */
export function readOutdated(stdout: string, error: string | null, places: Map<string, string[]>): Lookup {
  const answer = stdout || !error ? parse(stdout) : null;
  if (!answer || "error" in answer) return { pins: [], failed: [`npm packages: ${answer?.error ?? error ?? stdout}`] };
  const pins = Object.entries(answer).flatMap(([name, entries]): Pin[] => {
    const [entry] = [entries].flat() as Outdated[];
    if (!entry) return [];
    const where = places.get(name)?.join(", ") ?? "package-lock.json";
    return [{ name, have: entry.wanted, newest: entry.latest, where }];
  });
  return { pins, failed: [] };
}

async function versionsOf(root: string, name: string): Promise<string[]> {
  const { stdout } = await run("npm", ["view", name, "versions", "--json"], root);
  return [JSON.parse(stdout || "[]") as string | string[]].flat();
}

function parse(stdout: string): Record<string, unknown> | null {
  try {
    const answer = JSON.parse(stdout || "{}") as { error?: { summary?: string } };
    return answer.error ? { error: answer.error.summary ?? "npm failed" } : answer;
  } catch {
    return null;
  }
}

/** placesOf names the package.json files that pin each package. */
function placesOf(root: string): Map<string, string[]> {
  type Manifest = { dependencies?: Record<string, string>; devDependencies?: Record<string, string> };
  const places = new Map<string, string[]>();
  for (const file of ["package.json", ...workspaceManifests(root)]) {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(root, file), "utf8")) as Manifest;
    for (const name of Object.keys({ ...dependencies, ...devDependencies }))
      places.set(name, [...(places.get(name) ?? []), file]);
  }
  return places;
}
