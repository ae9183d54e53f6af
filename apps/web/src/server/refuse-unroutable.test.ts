import { expect, it } from "vitest";
import { refusalOf } from "./refuse-unroutable.ts";

it.each([
  ["GET", "/api/v1/clusters?search=%zz", undefined],
  ["GET", "/a%20b", undefined],
  ["GET", "/api/v1/clusters/%zz", 400],
  ["GET", "/%c3%28", 400],
  ["TRACE", "/api/v1/clusters", 405],
  ["QUERY", "/api/v1/clusters", 405],
  ["PATCH", "/api/v1/clusters", undefined],
])("%s %s is rejected with %s", (method, url, status) => {
  expect(refusalOf(method, url)?.status).toBe(status);
});
