import { spawnSync } from "node:child_process";
import path from "node:path";
import { createTestDatabase } from "@fairlead/db/testing";
import { createTestOrganization } from "@fairlead/services/testing";
import { expect, it } from "vitest";

it("npm run seed can run repeatedly, and explains what happens to a fleet without agents", async () => {
  const database = await createTestDatabase();
  const { organizationId } = await createTestOrganization(database.db);
  const sizes = ["--clusters", "12", "--load-balancers", "30", "--agents", "12", "--history-minutes", "1"];
  for (const clusters of [12, 24]) {
    const { stdout, stderr } = spawnSync(process.execPath, [path.join(import.meta.dirname, "main.ts"), ...sizes], {
      env: { ...process.env, DATABASE_URL: database.url },
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(stdout).toContain("they all become silent");
    expect(await database.db.cluster.count({ where: { organizationId } })).toBe(clusters);
  }
  await database.drop();
});
