import { expect, it } from "vitest";
import { describeWeather } from "./weather.ts";

it.each([
  "Connection terminated unexpectedly",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
])("a connection that the driver lost is weather: %s", (message) => {
  expect(describeWeather(new Error(message))).toMatchObject({ code: "unavailable", retryAfterSeconds: 2 });
});

it("a mistake of ours is none", () => {
  expect(describeWeather(new Error("Connection is undefined"))).toBeNull();
});
