import { spawn } from "node:child_process";
import path from "node:path";
import { cacheFolder, checkNamed, missingIn, namedFolder } from "./programs.ts";

/** provideKubernetes answers the folder with the programs of a control plane, and builds what is missing there. */
export async function provideKubernetes(): Promise<string> {
  const named = namedFolder(process.env);
  if (named) await checkNamed(named);
  const folder = named ?? cacheFolder(process.env);
  if (missingIn(folder).length > 0) await build();
  return folder;
}

/** In a process of its own, which ends its compilers when we end, however that comes. */
async function build(): Promise<void> {
  const main = path.join(import.meta.dirname, "main.ts");
  const child = spawn(process.execPath, [main], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0)
    throw new Error("The programs of a Kubernetes control plane could not be built; the reason is above.");
}
