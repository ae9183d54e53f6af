import { expect, it } from "vitest";
import { describeOutage } from "./outage.ts";

it.each([
  "Connection terminated unexpectedly",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
])("a connection that the driver lost is an outage: %s", (message) => {
  expect(describeOutage(new Error(message))).toMatchObject({ code: "unavailable", retryAfterSeconds: 2 });
});

it("a bug of ours is not an outage", () => {
  expect(describeOutage(new Error("Connection is undefined"))).toBeNull();
});
