import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { root } from "../settings.ts";
import { isRecentGo, minGoVersion } from "./go-version.ts";

it.each([
  ["go version go1.26.8 linux/amd64", true],
  ["go version go1.26 linux/amd64", true],
  ["go version go1.27rc1 linux/arm64", true],
  ["go version devel go1.28-1a2b3c4 Mon Nov 16 10:00:00 2026 linux/amd64", true],
  ["go: downloading go1.26.0 (linux/amd64)\ngo version go1.26.0 linux/amd64", true],
  ["go version go2.0 linux/amd64", true],
  ["go version go1.25.9 linux/amd64", false],
  ["go version go1.9 linux/amd64", false],
  ["go: download go1.26.0 for linux/amd64: toolchain not available", false],
  ["", false],
])("%j is recent enough for the agents: %s", (output, isRecent) => {
  expect(isRecentGo(output)).toBe(isRecent);
});

it("requires the Go version of the agents' go.mod", () => {
  const module = readFileSync(path.join(root, "agents/go.mod"), "utf8");
  expect(/^go (\d+\.\d+)/m.exec(module)?.[1]).toBe(minGoVersion);
});
