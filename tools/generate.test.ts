import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";

it("a check of generated code fails where the compiler of the eBPF programs is missing", () => {
  const { status, stderr } = spawnSync(process.execPath, [path.join(import.meta.dirname, "generate.ts"), "--check"], {
    env: { PATH: "/nowhere" },
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toBe("The eBPF programs can't be checked without clang-16: apt-get install clang-16\n");
});
