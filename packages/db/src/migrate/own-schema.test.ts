import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { prismaFolder } from "../testing/index.ts";

/** Every SQL file of prisma, by its path there, without its comments. */
const files = new Map(
  readdirSync(prismaFolder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".sql"))
    .map((file) => [file, readFileSync(path.join(prismaFolder, file), "utf8").replaceAll(/--.*/g, "")]),
);
const views = [...files].filter(([file]) => path.dirname(file) === "views");
const migrations = [...files].filter(([file]) => path.dirname(path.dirname(file)) === "migrations");

describe("prisma", () => {
  it("has only SQL that can run in a transaction", () => {
    const unable = [...files].filter(([, sql]) =>
      /\bCONCURRENTLY\b|^\s*(BEGIN|COMMIT|ROLLBACK)\s*;|^\s*VACUUM\b/im.test(sql),
    );
    expect(unable).toEqual([]);
  });

  it("has one view in each file of views, named like the file", () => {
    expect(views).not.toEqual([]);
    for (const [file, sql] of views)
      expect(sql.match(/\bCREATE\b.*/gi), file).toEqual([`CREATE VIEW "${path.basename(file, ".sql")}" AS`]);
  });

  it("has no view in a migration", () => {
    expect(migrations).not.toEqual([]);
    expect(migrations.filter(([, sql]) => /\bVIEW\b/i.test(sql))).toEqual([]);
  });
});
