import { execFileSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../settings.ts";
import { agentFolders } from "./build-agent.ts";
import { webFolders } from "./build-web.ts";
import { listSources } from "./source-digest.ts";
import { turboCommand } from "./turbo/command.ts";

type Plan = {
  globalCacheInputs: { files: Record<string, string> };
  tasks: {
    taskId: string;
    directory: string;
    inputs: Record<string, string>;
    environmentVariables: { specified: { env: string[] }; inferred: string[] };
  }[];
};

function plan(task: string): Plan {
  const { command, args, env } = turboCommand(root, [task]);
  const printed = execFileSync(command, [...args, "--dry=json"], {
    cwd: root,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(printed) as Plan;
}

describe.each([
  ["@fairlead/web#build", webFolders, /^NEXT_PUBLIC_/],
  ["@fairlead/agents#build", agentFolders, /^(FAIRLEAD_GO$|GO)/],
])("the digest of %s", (task, folders, variables) => {
  it("covers every file and variable that turbo's hash covers", () => {
    const sources = new Set(listSources(root, folders));
    const { tasks, globalCacheInputs } = plan(task);
    const read = tasks.flatMap(({ directory, inputs }) =>
      Object.keys(inputs).map((file) => path.join(directory, file)),
    );
    expect(read.length).toBeGreaterThan(100);
    read.push(...Object.keys(globalCacheInputs.files));
    expect(read.filter((file) => !sources.has(file))).toEqual([]);
    const named = tasks.flatMap(({ environmentVariables: { specified, inferred } }) => [...specified.env, ...inferred]);
    expect(named.filter((name) => !variables.test(name))).toEqual([]);
  });
});
