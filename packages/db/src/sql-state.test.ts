import { expect, it } from "vitest";
import { sqlStateOf } from "./sql-state.ts";

it.each([
  ["of the driver", { code: "40001" }, "40001"],
  [
    "inside Prisma's own",
    { code: "P2010", meta: { driverAdapterError: { cause: { originalCode: "23514" } } } },
    "23514",
  ],
  ["inside one that is unknown to Prisma", { cause: { originalCode: "57014" } }, "57014"],
  ["of the system", { code: "EPIPE" }, null],
  ["of Prisma", { code: "P2034" }, null],
  ["that is not an object", "40001", null],
])("finds the SQLSTATE in an error %s", (_, error, state) => {
  expect(sqlStateOf(error)).toBe(state);
});

it("stops at an error that is its own cause", () => {
  const error = new Error("again");
  error.cause = error;
  expect(sqlStateOf(error)).toBeNull();
});
