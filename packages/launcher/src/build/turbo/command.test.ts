import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { root } from "../../settings.ts";
import { turboCommand } from "./command.ts";

const cache = mkdtempSync(path.join(os.tmpdir(), "fairlead-turbo-"));
afterAll(() => rmSync(cache, { recursive: true }));

const env = { PATH: "/bin", FAIRLEAD_CACHE: cache, TURBO_TOKEN: "secret", TURBO_FORCE: "true", SSL_CERT_FILE: "/ca" };

it("uses the local cache only, regardless of turbo's own settings", () => {
  const command = turboCommand(root, ["//#lint"], { env, go: "go version go1.26.8 linux/amd64" });
  expect(command.args).toContain("--cache=local:rw");
  expect(command.env).toEqual({
    PATH: `${root}/node_modules/.bin${path.delimiter}/bin`,
    FAIRLEAD_CACHE: cache,
    FAIRLEAD_GO: "go version go1.26.8 linux/amd64",
    SSL_CERT_FILE: "/ca",
    TURBO_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
    npm_config_loglevel: "silent",
    npm_config_logs_max: "0",
    npm_config_update_notifier: "false",
  });
});

it("reads nothing from the cache when a build is forced", () => {
  expect(turboCommand(root, ["//#lint"], { env, force: true }).args).toContain("--cache=local:w");
});

it("reports how to fix a missing turbo program", () => {
  expect(() => turboCommand(cache, ["//#lint"], { env })).toThrow(/is not installed. It is needed for every build/);
});
