import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { run } from "./run.ts";

const version = "7.25.0";
const sha256 = "41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae";
const mavenPlugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";
// The generator and the compiler end before optimised code would pay off.
export const shortLived = "-XX:TieredStopAtLevel=1";
/** Java 17 has the encoding of the locale, which is ASCII on a machine without one. */
export const utf8 = "-Dfile.encoding=UTF-8";

export type OpenapiGenerator = {
  /** The libraries that its Java client needs, as a class path. */
  javaLibraries: string;
  generate: (name: string, document: string, folder: string, options: string[]) => Promise<void>;
};

/** installOpenapiGenerator fetches openapi-generator and the libraries of its Java client with Maven, once. */
export async function installOpenapiGenerator(): Promise<OpenapiGenerator> {
  const cache = process.env.FAIRLEAD_CACHE ?? path.join(os.homedir(), ".cache/fairlead");
  const pom = path.join(import.meta.dirname, "java/pom.xml");
  const libraries = createHash("sha256").update(readFileSync(pom)).digest("hex").slice(0, 8);
  const home = path.join(cache, `openapi-generator-${version}-${libraries}`);
  if (!existsSync(home)) await install(home, pom);
  return {
    javaLibraries: path.join(home, "lib/*"),
    async generate(name, document, folder, options) {
      const jar = path.join(home, `openapi-generator-cli-${version}.jar`);
      const only = ["apiTests", "modelTests", "apiDocs", "modelDocs"].map((each) => `${each}=false`).join(",");
      const args = ["generate", "-g", name, "-i", document, "-o", folder, "--global-property", only, ...options];
      await run("java", [shortLived, utf8, "-jar", jar, ...args], path.dirname(folder));
    },
  };
}

async function install(home: string, pom: string): Promise<void> {
  console.log(`Installing openapi-generator ${version} into ${home}`);
  // Under another name until it is complete.
  const begun = `${home}.${process.pid}`;
  mkdirSync(begun, { recursive: true });
  try {
    const artifact = `org.openapitools:openapi-generator-cli:${version}`;
    const maven = (goal: string, ...args: string[]) =>
      run("mvn", ["--quiet", "--batch-mode", `${mavenPlugin}:${goal}`, ...args], begun);
    await maven("copy", `-Dartifact=${artifact}`, `-DoutputDirectory=${begun}`);
    const jar = readFileSync(path.join(begun, `openapi-generator-cli-${version}.jar`));
    const found = createHash("sha256").update(jar).digest("hex");
    if (found !== sha256) throw new Error(`${artifact} has the SHA-256 ${found} instead of ${sha256}`);
    // Maven writes next to the file.
    copyFileSync(pom, path.join(begun, "pom.xml"));
    await maven("copy-dependencies", `-DoutputDirectory=${path.join(begun, "lib")}`);
    renameSync(begun, home);
  } catch (error) {
    rmSync(begun, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(home)) throw error;
  }
}
