import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { permissions } from "@fairlead/domain";
import { root } from "../support/instance.ts";
import { create, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

test("the running product answers whatever is thrown at its API as its OpenAPI document says", async ({
  request,
  baseURL,
}) => {
  test.setTimeout(180_000);
  const { key } = await create<{ key: string }>(request, "api-keys", {
    name: unique("schemathesis"),
    role: "owner",
    scopes: permissions,
    requestsPerMinute: 60_000,
  });
  const script = path.join(root, "tools/schemathesis.ts");
  const args = [script, "--url", baseURL ?? "", "--key", key, "--seconds", "40"];
  const { code, output } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 64_000_000 }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code?: number; stdout?: string; message: string }) => ({
      code: error.code ?? 1,
      output: error.stdout ?? error.message,
    }),
  );
  expect(code, output).toBe(0);
});
