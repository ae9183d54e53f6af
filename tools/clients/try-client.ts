import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type FleetIds, inputsFor } from "@fairlead/api/testing";
import type { TestProduct } from "../test-product.ts";
import { check } from "./check.ts";
import type { Client } from "./client.ts";
import { type Document, listSteps } from "./plan.ts";
import { record } from "./recorder.ts";
import { run } from "./run.ts";

type Target = Pick<TestProduct, "url" | "createFleet"> & { issuer: string };

/** tryClient calls every operation, in an organisation of its own, and returns what was wrong. */
export async function tryClient(client: Client, product: Target, document: string): Promise<string[]> {
  const folder = path.join(path.dirname(document), client.name);
  mkdirSync(folder);
  await client.build(document, folder);
  const { key, ids } = await product.createFleet({ isFirst: true });
  const recorder = await record(product.url);
  try {
    const steps = listSteps(JSON.parse(readFileSync(document, "utf8")) as Document, inputsOf(ids, product.issuer));
    const plan = path.join(folder, "plan.json");
    writeFileSync(plan, JSON.stringify({ url: `${recorder.url}/api/v1`, key, steps }));
    const [program, ...args] = client.command(folder);
    const lines = await run(program, [...args, plan], folder);
    return check(steps, lines.trim().split("\n"), recorder.take());
  } finally {
    await recorder.close();
  }
}

function inputsOf(ids: FleetIds, issuer: string): Record<string, unknown> {
  // Price refreshes belong to no organisation, so none exists before one is started.
  const { "priceRefresh.get": _, "identityProvider.create": provider, ...inputs } = inputsFor(ids);
  return { ...inputs, "identityProvider.create": { ...(provider as object), issuer } };
}
