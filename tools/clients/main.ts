import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { has } from "../test/needs/needs.ts";
import { startTestProduct } from "../test-product.ts";
import type { Client } from "./client.ts";
import { goClient } from "./go-client.ts";
import { serveIssuer } from "./issuer.ts";
import { javaClient } from "./java-client.ts";
import { installOpenapiGenerator } from "./openapi-generator.ts";
import { pythonClient } from "./python-client.ts";
import { tryClient } from "./try-client.ts";

// Generates clients of the REST API from its OpenAPI document, compiles them, and calls every operation of a running product
// with each: see docs/guides/generated-clients.md. `node tools/clients/main.ts Go` tries only one of them.
const root = path.resolve(import.meta.dirname, "../..");
process.exitCode = await main();

async function main(): Promise<number> {
  const { clients, skipped } = await listClients();
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-clients-"));
  const issuer = await serveIssuer();
  const product = await startTestProduct(root, { FAIRLEAD_OIDC_ENDPOINTS: issuer.url });
  const target = { ...product, issuer: issuer.url };
  let failed = 0;
  try {
    const text = await (await fetch(`${product.url}/api/v1/openapi.json`)).text();
    const document = path.join(folder, "openapi.json");
    writeFileSync(document, text);
    for (const client of clients) {
      const start = Date.now();
      const problems = await tryClient(client, target, document).catch((error) => [String(error)]);
      if (problems.length > 0) failed += 1;
      const line = `${problems.length > 0 ? "✗" : "✓"} ${client.name} (${Math.round((Date.now() - start) / 1000)} s)`;
      console.log([line, ...problems].join("\n  "));
    }
    for (const { name, reason } of skipped) console.log(`- ${name}: ${reason}`);
  } finally {
    await product.stop();
    await issuer.close();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n${clients.length - failed} passed, ${failed} failed, ${skipped.length} skipped`);
  return failed === 0 ? 0 : 1;
}

async function listClients(): Promise<{ clients: Client[]; skipped: { name: string; reason: string }[] }> {
  const [only] = process.argv.slice(2);
  const isWanted = ({ name }: { name: string }) => !only || name === only;
  const clients = [await pythonClient()].filter(isWanted);
  const missing = ["javac", "mvn"].filter((program) => !has(program));
  if (missing.length > 0) {
    const reason = `openapi-generator needs Java and Maven, and ${missing.join(" and ")} can't be found`;
    return {
      clients,
      skipped: [{ name: "Go" }, { name: "Java" }].filter(isWanted).map((each) => ({ ...each, reason })),
    };
  }
  const generator = await installOpenapiGenerator();
  return { clients: [...clients, ...[goClient(generator), javaClient(generator)].filter(isWanted)], skipped: [] };
}
