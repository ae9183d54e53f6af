import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { imageOf } from "./image-of.ts";
import { outputOf } from "./run.ts";

/** unpackKernel returns the folder of a kernel that Debian's package depends on, and downloads it if it isn't there yet. */
export function unpackKernel(name: string): string {
  const image = imageOf(name, outputOf("apt-cache", ["depends", name]));
  const cache = path.join(os.homedir(), ".cache/fairlead/kernels");
  const folder = path.join(cache, image.replace(/^linux-image-/, ""));
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const download = mkdtempSync(path.join(cache, "download-"));
  try {
    outputOf("apt-get", ["download", image], download);
    const [file] = readdirSync(download);
    if (!file) throw new Error(`apt-get download ${image} saved nothing`);
    const unpacked = path.join(download, "files");
    outputOf("dpkg-deb", ["--extract", path.join(download, file), unpacked]);
    outputOf("depmod", ["--basedir", unpacked, path.basename(folder)]);
    renameSync(unpacked, folder);
  } finally {
    rmSync(download, { recursive: true, force: true });
  }
  return folder;
}
