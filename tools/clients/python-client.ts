import { writeFileSync } from "node:fs";
import path from "node:path";
import { installPythonTool } from "../python-tool.ts";
import type { Client } from "./client.ts";
import { run } from "./run.ts";

const version = "0.29.1";
// Without formatting, which takes another program.
const post_hooks: string[] = [];
// A file is read as bytes; otherwise the client creates it from text and fails.
const content_type_overrides = { "text/csv": "application/octet-stream" };

/** pythonClient returns the client that openapi-python-client generates. It runs with the libraries of its generator. */
export async function pythonClient(): Promise<Client> {
  const programs = await installPythonTool("openapi-python-client", version);
  return {
    name: "Python",
    async build(document, folder) {
      const config = path.join(folder, "config.json");
      writeFileSync(config, JSON.stringify({ post_hooks, content_type_overrides }));
      const options = ["--config", config, "--output-path", path.join(folder, "client"), "--fail-on-warning"];
      await run(path.join(programs, "openapi-python-client"), ["generate", "--path", document, ...options], folder);
    },
    command: (folder) => [
      "env",
      `PYTHONPATH=${path.join(folder, "client")}`,
      path.join(programs, "python3"),
      path.join(import.meta.dirname, "python/main.py"),
    ],
  };
}
