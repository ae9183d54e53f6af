import { globSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Client } from "./client.ts";
import { type OpenapiGenerator, shortLived, utf8 } from "./openapi-generator.ts";
import { run } from "./run.ts";

const sources = "client/src/main/java/**/*.java";
const operations = "client/src/main/java/org/openapitools/client/api";
// Without the last, a client sends an empty list for each list that isn't set.
const properties = "hideGenerationTimestamp=true,useJakartaEe=true,containerDefaultToNull=true";

export function javaClient(generator: OpenapiGenerator): Client {
  return {
    name: "Java",
    async build(document, folder) {
      const options = ["--library", "native", "--additional-properties", properties];
      await generator.generate("java", document, path.join(folder, "client"), options);
      const files = [path.join(import.meta.dirname, "java/Main.java"), ...globSync(sources, { cwd: folder })];
      writeFileSync(path.join(folder, "sources"), files.join("\n"));
      const compile = [`-J${shortLived}`, `-J${utf8}`, "-nowarn", "-proc:none", "-parameters", "-d", "classes"];
      await run("javac", [...compile, "-cp", generator.javaLibraries, "@sources"], folder);
    },
    command: (folder) => {
      const classPath = [path.join(folder, "classes"), generator.javaLibraries].join(path.delimiter);
      const apis = readdirSync(path.join(folder, operations)).map((file) => path.basename(file, ".java"));
      return ["java", shortLived, utf8, "-cp", classPath, "Main", ...apis];
    },
  };
}
