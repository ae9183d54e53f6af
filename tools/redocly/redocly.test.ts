import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { openApiDocument } from "@fairlead/api";
import { expect, it } from "vitest";

type Report = { problems: { ruleId: string; severity: string; message: string; location: { pointer: string }[] }[] };

const program = path.resolve(import.meta.dirname, "../../node_modules/.bin/redocly");
const config = path.join(import.meta.dirname, "redocly.yaml");

it("the OpenAPI document has no errors, and only the warnings that redocly.yaml explains", async () => {
  const { problems } = await lint(openApiDocument());
  const found = problems.map(({ ruleId, severity, message }) => `${severity} ${ruleId}: ${message}`);
  const unused = ["LiveMessage", "OtherOrganization", "NoSuchPath", "MethodNotAllowed", "Exhausted"];
  expect(found).toEqual(unused.map((name) => `warn no-unused-components: Component: "${name}" is never used.`));
});

it("a document with a mistake has errors", async () => {
  const { paths, ...document } = openApiDocument() as { paths: Record<string, object> };
  const operation = { operationId: "cluster.list", responses: {} };
  const { problems } = await lint({ ...document, paths: { ...paths, "/mistakes": { get: operation } } });
  expect(problems.filter(({ severity }) => severity === "error")).not.toEqual([]);
});

async function lint(document: object): Promise<Report> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-redocly-"));
  try {
    writeFileSync(path.join(folder, "openapi.json"), JSON.stringify(document));
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const args = ["lint", "openapi.json", "--config", config, "--format", "json"];
    const options = { cwd: folder, env, maxBuffer: 64_000_000 };
    const { stdout } = await promisify(execFile)(program, args, options).catch((error: { stdout: string }) => error);
    return JSON.parse(stdout) as Report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
