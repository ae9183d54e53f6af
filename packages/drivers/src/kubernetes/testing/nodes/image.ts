import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";

/** ImageFile is a file of an image, and its source. */
export type ImageFile = { from: string; to: string };

const oci = "application/vnd.oci.image";

/** writeImage writes an image's archive: one layer with these files, in the OCI image layout. */
export async function writeImage(
  archive: string,
  { name, files, entrypoint }: { name: string; files: readonly ImageFile[]; entrypoint: readonly string[] },
): Promise<void> {
  const folder = mkdtempSync(`${archive}.`);
  const blobs = path.join(folder, "image/blobs/sha256");
  mkdirSync(blobs, { recursive: true });
  const add = (content: Buffer | string, mediaType: string) => {
    const sha256 = createHash("sha256").update(content).digest("hex");
    writeFileSync(path.join(blobs, sha256), content);
    return { mediaType, digest: `sha256:${sha256}`, size: Buffer.byteLength(content) };
  };
  try {
    const layer = add(await layerOf(path.join(folder, "layer"), files), `${oci}.layer.v1.tar`);
    const config = {
      architecture: process.arch === "x64" ? "amd64" : process.arch,
      os: "linux",
      config: { Entrypoint: entrypoint },
      rootfs: { type: "layers", diff_ids: [layer.digest] },
    };
    const manifest = {
      schemaVersion: 2,
      mediaType: `${oci}.manifest.v1+json`,
      config: add(JSON.stringify(config), `${oci}.config.v1+json`),
      layers: [layer],
    };
    const listed = {
      ...add(JSON.stringify(manifest), manifest.mediaType),
      annotations: { "io.containerd.image.name": name, "org.opencontainers.image.ref.name": name },
    };
    const image = path.join(folder, "image");
    writeFileSync(path.join(image, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
    writeFileSync(path.join(image, "index.json"), JSON.stringify({ schemaVersion: 2, manifests: [listed] }));
    pack(image, archive);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function layerOf(root: string, files: readonly ImageFile[]): Promise<Buffer> {
  for (const each of ["etc", "tmp", "data"]) mkdirSync(path.join(root, each), { recursive: true });
  // Programs look up the names of their user and group.
  writeFileSync(path.join(root, "etc/passwd"), "root:x:0:0:root:/:/\n");
  writeFileSync(path.join(root, "etc/group"), "root:x:0:\n");
  for (const { from, to } of files) {
    mkdirSync(path.dirname(path.join(root, to)), { recursive: true });
    copyFileSync(from, path.join(root, to));
  }
  const archive = `${root}.tar`;
  pack(root, archive);
  return readFile(archive);
}

function pack(folder: string, archive: string): void {
  execFileSync("tar", ["--create", "--file", archive, "--directory", folder, "--owner=0", "--group=0", "."]);
}

/** withLibraries returns a program and the libraries that it is linked with, each at its own path. */
export function withLibraries(program: string): ImageFile[] {
  const output = execFileSync("ldd", [program], { encoding: "utf8" });
  const libraries = [...output.matchAll(/(?:=> )?(\/\S+) \(0x/g)].flatMap(([, file]) => file ?? []);
  return [program, ...libraries].map((file) => ({ from: file, to: file }));
}
