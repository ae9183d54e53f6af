import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { DomainError } from "@fairlead/domain";
import { ensureAuthority } from "@fairlead/services";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareFleet } from "./first-start.ts";
import type { Surroundings } from "./programs.ts";
import { readSettings, root } from "./settings.ts";

const secret = "a-secret-of-thirty-two-characters!";

let database: TestDatabase;
let dataFolder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  dataFolder = mkdtempSync(path.join(os.tmpdir(), "fairlead-first-start-"));
});
afterEach(async () => {
  await database.drop();
  rmSync(dataFolder, { recursive: true });
});

function surroundings(): Surroundings {
  return {
    root,
    logs: path.join(dataFolder, "logs"),
    url: "http://127.0.0.1:3000",
    host: "127.0.0.1",
    port: 3000,
    gatewayPort: 7443,
    gatewayUrl: "https://127.0.0.1:7443",
    ownGatewayUrl: "https://127.0.0.1:7443",
    metricsPort: 7444,
    webBuild: ".next",
    databaseUrl: database.url,
    secret,
    agentState: path.join(dataFolder, "agent"),
  };
}

const settings = () =>
  readSettings({
    FAIRLEAD_DATA: dataFolder,
    FAIRLEAD_ADMIN_EMAIL: "ada@example.com",
    FAIRLEAD_ADMIN_PASSWORD: "correct-Horse-7",
  });

const start = (withAgent: boolean) => prepareFleet(surroundings(), settings(), withAgent);

describe("a start", () => {
  it.each([true, false])("refuses a secret that the database was not set up with (agent: %s)", async (withAgent) => {
    await ensureAuthority(database.db, "the-secret-of-another-data-folder!", new Date());
    const refused = start(withAgent);
    await expect(refused).rejects.toBeInstanceOf(DomainError);
    await expect(refused).rejects.toThrow("start with the secret that this database was set up with");
    expect(await database.db.user.count()).toBe(0);
  });
});
