import { expect, it } from "vitest";
import { readToken } from "./read-token.ts";

const formWith = (token: string | null) => {
  const form = new FormData();
  if (token !== null) form.set("token", token);
  return form;
};

it.each([null, "", "short", `${"a".repeat(20)}/../x`])("refuses a form whose token is %j with a message", (token) => {
  const message = "This is not an invitation link. Open the link from the invitation again.";
  expect(readToken(formWith(token))).toEqual({ refusal: { message } });
});

it("accepts the token of a link", () => {
  expect(readToken(formWith("a".repeat(32)))).toEqual({ token: "a".repeat(32) });
});
