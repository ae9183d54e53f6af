import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { curlOf } from "./curl.ts";

it("is a command that a shell reads as one request, whatever the spec contains", () => {
  const spec = { name: "it's", labels: { a: "$HOME `id` \\ \"x\" ''" } };
  const command = curlOf("https://fairlead.example.com", { path: "/exposures", spec });
  const script = `curl() { printf '%s\\0' "$@"; }\nFAIRLEAD_KEY=fl_key\n${command}`;
  const words = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
  const body = words.pop() ?? "";
  expect(words).toEqual([
    "-X",
    "POST",
    "https://fairlead.example.com/api/v1/exposures",
    "-H",
    "Authorization: Bearer fl_key",
    "-H",
    "Content-Type: application/json",
    "-d",
  ]);
  expect(JSON.parse(body)).toEqual(spec);
});
