import { owner, storageState } from "./support/product.ts";
import { expect, test } from "./support/test.ts";

test("the owner is signed in", async ({ request, baseURL }) => {
  const answer = await request.post("/api/auth/sign-in/email", { data: owner, headers: { origin: baseURL ?? "" } });
  expect(answer.ok(), await answer.text()).toBe(true);
  await request.storageState({ path: storageState });
});
