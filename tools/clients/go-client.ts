import { copyFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import type { Client } from "./client.ts";
import type { OpenapiGenerator } from "./openapi-generator.ts";
import { run } from "./run.ts";

const sources = path.join(import.meta.dirname, "go");
// Without the prefix, constants of two enums with the same value have the same name. Without the lookup, a client tries all
// variants of a union, and rejects a value that several of them accept.
const properties = "packageName=fairlead,withGoMod=false,enumClassPrefix=true,useOneOfDiscriminatorLookup=true";

export function goClient(generator: OpenapiGenerator): Client {
  return {
    name: "Go",
    async build(document, folder) {
      const client = path.join(folder, "fairlead");
      mkdirSync(client);
      await generator.generate("go", document, client, ["--additional-properties", properties]);
      for (const file of ["go.mod", "go.sum", "main.go"])
        copyFileSync(path.join(sources, file), path.join(folder, file));
      await run("go", ["build", "-o", "run", "."], folder, { CGO_ENABLED: "0", GOFLAGS: "-trimpath", GOWORK: "off" });
    },
    command: (folder) => [path.join(folder, "run")],
  };
}
