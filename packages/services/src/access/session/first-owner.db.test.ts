import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFirstOwner, ensureFirstOwner, isSetUp } from "./first-owner.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase({ connections: 12 });
});
afterEach(() => database.drop());

const now = new Date();
const ada = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };

describe("the first owner", () => {
  it("is one user, however many set-ups run at the same moment", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) =>
        createFirstOwner(database.db, { ...ada, email: `ada${at}@example.com` }, now),
      ),
    );
    expect(outcomes.filter((each) => each.status === "fulfilled")).toHaveLength(1);
    expect(await database.db.user.count()).toBe(1);
    expect(await database.db.organization.count()).toBe(1);
    expect(await database.db.member.findMany()).toMatchObject([{ role: "owner" }]);
    expect(await database.db.auditEntry.findMany()).toMatchObject([
      { action: "member.join", after: { role: "owner" } },
    ]);
  });

  it("is not replaced: a second set-up is refused, an unattended one does nothing", async () => {
    expect(await isSetUp(database.db)).toBe(false);
    expect(await ensureFirstOwner({ db: database.db, ...ada })).toBe(true);
    expect(await isSetUp(database.db)).toBe(true);
    expect(await ensureFirstOwner({ db: database.db, ...ada, password: "something else" })).toBe(false);
    await expect(createFirstOwner(database.db, ada, now)).rejects.toMatchObject({
      code: "conflict",
      message: "Fairlead is set up already; sign in instead.",
    });
  });

  it("costs no hash of a password once there is a user", async () => {
    await ensureFirstOwner({ db: database.db, ...ada });
    const { name, email } = ada;
    const input = {
      name,
      email,
      get password(): string {
        throw new Error("the password was read");
      },
    };
    await expect(createFirstOwner(database.db, input, now)).rejects.toMatchObject({ code: "conflict" });
  });

  it("owns the existing organisation of sample data", async () => {
    await database.db.organization.create({ data: { id: "org_sample", name: "Sample", slug: "sample" } });
    await ensureFirstOwner({ db: database.db, ...ada });
    expect(await database.db.member.findMany()).toMatchObject([{ organizationId: "org_sample", role: "owner" }]);
  });

  it.each([
    [{ email: "not an address" }, "email", "The first owner's email: enter an email address."],
    [{ password: "short" }, "password", "The first owner's password: 8 characters at least."],
  ])("is refused with the invalid field: %j", async (wrong, field, message) => {
    await expect(ensureFirstOwner({ db: database.db, ...ada, ...wrong })).rejects.toMatchObject({
      code: "invalid",
      message,
      fields: [{ path: [field] }],
    });
  });
});
