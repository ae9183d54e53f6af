import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { createFirstOwner } from "@fairlead/services";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Auth, createAuth } from "./create-auth.ts";

const secret = "only-for-tests-".repeat(3);
const owner = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };

let database: TestDatabase;
let auth: Auth;

beforeAll(async () => {
  database = await createTestDatabase();
  await createFirstOwner(database.db, owner, new Date());
  auth = createAuth({ db: database.db, secret, url: "https://fairlead.example.com" });
});
afterAll(() => database.drop());

/** post sends a request like a page of the given origin, to the host name that it used. */
function post(path: string, origin: string, host: string, cookie = ""): Promise<Response> {
  const { email, password } = owner;
  return auth.handler(
    new Request(`http://${host}/api/auth${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin, host, cookie },
      body: JSON.stringify(path === "/sign-out" ? {} : { email, password }),
    }),
  );
}

describe("signing in and out", () => {
  it.each([
    ["under our own name", "https://fairlead.example.com", "fairlead.example.com"],
    ["under an address that only the browser knows", "http://10.0.0.4:3000", "10.0.0.4:3000"],
  ])("works %s", async (_, origin, host) => {
    const signedIn = await post("/sign-in/email", origin, host);
    expect(signedIn.status).toBe(200);
    const [cookie = ""] = signedIn.headers.getSetCookie();
    for (const each of signedIn.headers.getSetCookie()) expect(each).toMatch(/^__Secure-.*; Secure/);
    const sessions = () => database.db.session.count();
    const before = await sessions();
    expect((await post("/sign-out", origin, host, cookie.split(";")[0])).status).toBe(200);
    expect(await sessions()).toBe(before - 1);
  });

  it("is rejected for a page of another site", async () => {
    expect((await post("/sign-in/email", "https://evil.example", "fairlead.example.com")).status).toBe(403);
  });
});
