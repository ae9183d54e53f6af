import { spawn } from "node:child_process";
import path from "node:path";
import { checkNamed, namedFolder } from "./named-folder.ts";
import { awsController, cacheFolder, controlPlane, missingIn, nodes, type ProgramSet } from "./programs.ts";

/** provideKubernetes returns the folder with the programs of a control plane, and builds missing ones. */
export function provideKubernetes(): Promise<string> {
  return provide(controlPlane, []);
}

/** provideNodes returns the folder with the programs of real nodes, and builds missing ones and those of the control plane. */
export function provideNodes(): Promise<string> {
  return provide(nodes, ["--nodes"]);
}

/** provideAwsController returns the folder with the AWS cloud controller, and builds it, or a control plane, if missing. */
export function provideAwsController(): Promise<string> {
  return provide(awsController, ["--aws"]);
}

async function provide(set: ProgramSet, args: string[]): Promise<string> {
  const named = namedFolder(process.env, set);
  if (named) await checkNamed(named, set);
  const folder = named ?? cacheFolder(process.env, set);
  if (missingIn(folder, set).length > 0) await build(set, args);
  return folder;
}

/** In a separate process, which ends its compilers when this process ends for any reason. */
async function build({ name }: ProgramSet, args: string[]): Promise<void> {
  const main = path.join(import.meta.dirname, "main.ts");
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`Kubernetes' programs (${name}) failed to build; the reason is above.`);
}
