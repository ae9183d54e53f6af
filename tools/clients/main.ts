import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { startTestProduct } from "../test-product.ts";
import type { Client } from "./client.ts";
import { goClient } from "./go-client.ts";
import { javaClient } from "./java-client.ts";
import { installOpenapiGenerator } from "./openapi-generator.ts";
import { pythonClient } from "./python-client.ts";
import { tryClient } from "./try-client.ts";

// Generates clients of the REST API from its OpenAPI document, compiles them, and calls every operation of a running product
// with each: see docs/guides/generated-clients.md. `node tools/clients/main.ts Go` tries only one of them.
const root = path.resolve(import.meta.dirname, "../..");
process.exitCode = await main();

async function main(): Promise<number> {
  const clients = await listClients();
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-clients-"));
  const product = await startTestProduct(root);
  let failed = 0;
  try {
    const text = await (await fetch(`${product.url}/api/v1/openapi.json`)).text();
    const document = path.join(folder, "openapi.json");
    writeFileSync(document, text);
    for (const client of clients) {
      const problems = await tryClient(client, product, document).catch((error) => [String(error)]);
      if (problems.length > 0) failed += 1;
      console.log([`${problems.length > 0 ? "✗" : "✓"} ${client.name}`, ...problems].join("\n  "));
    }
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n${clients.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function listClients(): Promise<Client[]> {
  const generator = await installOpenapiGenerator();
  const all = [await pythonClient(), goClient(generator), javaClient(generator)];
  const [only] = process.argv.slice(2);
  return all.filter(({ name }) => !only || name === only);
}
