import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "./ports.ts";
import { living, Product, removeFolder, scratchFolder, until } from "./testing/product.ts";

const folder = scratchFolder();
const data = path.join(folder, "data");
let port = 0;

beforeAll(async () => {
  port = await freePort(0, "127.0.0.1");
});
afterAll(() => removeFolder(folder));

describe("npm start", () => {
  it("gets ready from nothing, and leaves no process behind at Ctrl-C", async () => {
    const product = new Product(data, port);
    await product.ready();
    expect(await status(`${product.url}/readyz`)).toBe(200);
    expect(product.output).toContain("Sign in as owner@example.test");
    const children = product.children();
    expect(living(children).sort()).toEqual(["agent", "controller", "database", "web"]);

    await product.stop();
    expect(living(children)).toEqual([]);
    expect(await product.ended).toBe(0);
  });

  it("is ready within ten seconds the second time", async () => {
    const product = new Product(data, port);
    const ms = await product.ready();
    await product.stop();
    expect(ms).toBeLessThan(10_000);
  });

  it("keeps its secrets to its owner and out of what it prints", async () => {
    const product = new Product(data, port);
    await product.ready();
    await product.stop();
    const secrets = ["secret", "postgres-password"].map((name) => readFileSync(path.join(data, name), "utf8").trim());
    const printed = ["web", "controller", "agent", "database"]
      .map((name) => readFileSync(path.join(data, "logs", `${name}.log`), "utf8"))
      .join("\n");
    for (const secret of [...secrets, "correct-Horse-7"]) {
      expect(product.output).not.toContain(secret);
      expect(printed).not.toContain(secret);
    }
  });

  it.each(["launcher", "both halves of the launcher"])("takes over what a killed %s left behind", async (which) => {
    const first = new Product(data, port);
    await first.ready();
    const children = first.children();
    const record = JSON.parse(readFileSync(path.join(data, "instance.json"), "utf8")) as { launcher: { pid: number } };
    process.kill(record.launcher.pid, "SIGKILL");
    if (which !== "launcher") first.launcher.kill("SIGKILL");
    await first.ended;
    expect(living(children)).toContain("database");

    const second = new Product(data, port);
    await second.ready();
    expect(living(children)).toEqual([]);
    expect(await status(`${second.url}/readyz`)).toBe(200);
    await second.stop();
  });

  it("stops all when the npm side of it is killed", async () => {
    const product = new Product(data, port);
    await product.ready();
    const children = product.children();
    product.launcher.kill("SIGKILL");
    await until(() => living(children).length === 0, 20_000);
  });

  it.each(["web", "controller", "agent", "database"])("starts the %s again when it is killed", async (name) => {
    const product = new Product(data, port);
    await product.ready();
    const before = product.child(name).process.pid;
    process.kill(before, "SIGKILL");
    await until(() => product.children().some((child) => child.name === name && child.process.pid !== before), 30_000);
    await until(async () => (await status(`${product.url}/readyz`)) === 200, 60_000);
    await product.stop();
  });
});

describe("npm start refuses in one sentence", () => {
  it("a second instance on the same data", async () => {
    const first = new Product(data, port);
    await first.ready();
    const second = new Product(data, await freePort(0, "127.0.0.1"));
    expect(await second.ended).toBe(1);
    expect(second.output).toContain(`Fairlead already runs on ${data}`);
    expect(await status(`${first.url}/readyz`)).toBe(200);
    await first.stop();
  });

  it("a port that is taken", async () => {
    const other = createServer().listen(port, "127.0.0.1");
    const product = new Product(data, port);
    expect(await product.ended).toBe(1);
    other.close();
    expect(product.output).toContain(`Port ${port} on 127.0.0.1 is taken by another program`);
  });

  it("a data folder that can't be written", async () => {
    const product = new Product("/dev/null/data", port);
    expect(await product.ended).toBe(1);
    expect(product.output).toContain("The data folder /dev/null/data can't be written");
    expect(product.output).toContain("FAIRLEAD_DATA=");
  });

  it("a PostgreSQL that does not answer, without showing its password", async () => {
    const silent = await freePort(0, "127.0.0.1");
    const product = new Product(path.join(folder, "other"), port, {
      DATABASE_URL: `postgresql://me:hidden-word@127.0.0.1:${silent}/db`,
    });
    expect(await product.ended).toBe(1);
    expect(product.output).toContain(`The PostgreSQL at 127.0.0.1:${silent}/db can't be used`);
    expect(product.output).not.toContain("hidden-word");
  });

  it("half of the first owner's account", async () => {
    const product = new Product(path.join(folder, "other"), port, { FAIRLEAD_ADMIN_PASSWORD: "" });
    expect(await product.ended).toBe(1);
    expect(product.output).toContain("Set both FAIRLEAD_ADMIN_EMAIL and FAIRLEAD_ADMIN_PASSWORD");
  });
});

describe("npm start without Go", () => {
  it("runs the dashboard, and says why there is no agent", async () => {
    const product = new Product(data, port, { PATH: path.dirname(process.execPath) });
    await product.ready();
    expect(product.output).toContain("Go is not installed");
    expect(living(product.children()).sort()).toEqual(["controller", "database", "web"]);
    await product.stop();
  });
});

async function status(url: string): Promise<number> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).status;
  } catch {
    return 0;
  }
}
