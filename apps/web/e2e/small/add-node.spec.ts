import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { everywhere } from "../support/accessibility.ts";
import { e2eFolder, ports } from "../support/product.ts";
import { first, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

// The page of a removed node may fetch it once more before the list appears.
test.use({ allowedProblems: /status of 404.*node\.get/ });

const own = process.arch === "arm64" ? "linux-arm64" : "linux-amd64";

test("a machine becomes a node by the one command that the dashboard shows", async ({ page, request }) => {
  test.setTimeout(240_000);
  const name = unique("machine");
  const dialog = await createToken(page, name);
  const status = dialog.getByRole("status");
  await expect(status).toHaveText(`Waiting for ${name} to connect.`);
  await everywhere(page);
  const command = await dialog.getByRole("region", { name: "Command to add this node" }).innerText();
  expect(command).toMatch(
    /^curl -fsSL http:\/\/\S+\/download\/agent\/install\.sh \| FAIRLEAD_TOKEN=fl1_[\w-]+ sh -s -- node --node-name machine-/,
  );

  const root = path.join(e2eFolder, name);
  const output = execFileSync("sh", ["-c", command], { env: { ...process.env, DESTDIR: root }, encoding: "utf8" });
  expect(output).toContain(`Installed below ${root}.`);
  expect(statSync(path.join(root, "etc/fairlead-agent/node.env")).mode & 0o777).toBe(0o600);
  const program = path.join(root, "usr/local/bin/fairlead-agent");
  const sum = await request.get(`/download/agent/${own}/sha256`);
  expect(await sum.text()).toBe(`${createHash("sha256").update(readFileSync(program)).digest("hex")}  ${own}\n`);

  const agent = startService(root);
  try {
    await expect(status).toContainText(`${name} is connected. It reported`, { timeout: 60_000 });
    await expect(dialog.getByRole("note")).toBeHidden();
    await status.getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  } finally {
    await stop(agent);
  }
  await forget(page, name);
});

test("the dialog warns of loopback addresses, explains each step, and what to check after a minute", async ({
  page,
}) => {
  await page.clock.install();
  const dialog = await createToken(page, unique("late"), async (form) => {
    await expect(form.getByRole("note")).toContainText(
      `Agents on other machines can't reach https://127.0.0.1:${ports.gateway}`,
    );
    await expect(form.getByRole("note")).toContainText("Set FAIRLEAD_GATEWAY_URL and FAIRLEAD_URL");
    await form.getByLabel("Role").selectOption("balancer");
  });
  await expect(dialog.getByRole("note")).toContainText("start with HOST=0.0.0.0, and restart");
  await expect(dialog.getByRole("region", { name: "Command to add this node" })).toContainText("sh -s -- balancer");

  await dialog.getByText("Step by step").click();
  await dialog.getByLabel("Processor").selectOption(own);
  const download = dialog.getByRole("region", { name: "Commands to download the agent" });
  const [, sum = ""] = /echo '([0-9a-f]{64}) {2}linux-/.exec(await download.innerText()) ?? [];
  expect(await (await page.request.get(`/download/agent/${own}/sha256`)).text()).toBe(`${sum}  ${own}\n`);
  await expect(dialog.getByRole("region", { name: "Command to start the agent" })).toContainText(
    `fairlead-agent balancer --control-plane https://127.0.0.1:${ports.gateway}`,
  );

  const hints = dialog.getByText("No connection after a minute.", { exact: false });
  await expect(hints).toBeHidden();
  // The page sets its clock by the control plane's now and then, which ends what is fast-forwarded.
  await expect(async () => {
    await page.clock.fastForward("01:05");
    await expect(hints).toBeVisible({ timeout: 1_000 });
    await expect(dialog).toContainText("journalctl -u fairlead-agent@balancer", { timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  await expect(async () => {
    await page.clock.fastForward("01:00:00");
    const expired = /The token expired before a node used it/;
    await expect(dialog.getByRole("status").last()).toHaveText(expired, { timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
});

test("the agent is served to anonymous machines, with headers by which caches and downloads work", async ({
  playwright,
  baseURL,
}) => {
  const anonymous = await playwright.request.newContext({ baseURL: baseURL ?? "" });
  const head = await anonymous.head(`/download/agent/${own}`);
  const { etag = "", ...headers } = head.headers();
  expect(head.status()).toBe(200);
  expect(headers).toMatchObject({ "content-type": "application/octet-stream", "cache-control": "no-cache" });
  expect(headers["content-encoding"]).toBeUndefined();
  const sum = (await (await anonymous.get(`/download/agent/${own}/sha256`)).text()).split(" ")[0] ?? "";
  expect(etag).toBe(`"${sum}"`);
  const same = await anonymous.get(`/download/agent/${own}`, { headers: { "if-none-match": etag } });
  expect(same.status()).toBe(304);
  const named = await anonymous.get(`/download/agent/${own}?sha256=${sum}`);
  expect(named.headers()["cache-control"]).toContain("immutable");
  const body = await named.body();
  expect(createHash("sha256").update(body).digest("hex")).toBe(sum);

  const script = await anonymous.get("/download/agent/install.sh");
  expect(await script.text()).toContain(`control_plane='https://127.0.0.1:${ports.gateway}'`);
  for (const name of ["fairlead-agent.service", "ticket-keys.conf"])
    expect((await anonymous.get(`/download/agent/${name}`)).status(), name).toBe(200);
  for (const name of ["windows-amd64", "..%2f..%2fpackage.json", "%2e%2e"])
    expect((await anonymous.get(`/download/agent/${name}`)).status(), name).toBe(404);
  await anonymous.dispose();
});

/** createToken fills in the form of the dialog and returns the dialog, which then shows the command. */
async function createToken(
  page: Page,
  name: string,
  fill: (form: ReturnType<Page["getByRole"]>) => Promise<unknown> = async () => {},
) {
  await page.goto("/nodes?add=true");
  const dialog = page.getByRole("dialog", { name: "Add node" });
  await dialog.getByLabel("Cluster").selectOption((await first(page.request, "clusters", "search=local")).id);
  await dialog.getByLabel("Name").fill(name);
  await fill(dialog);
  await dialog.getByRole("button", { name: "Create token" }).click();
  return dialog;
}

/** startService runs what the installed unit runs, with its environment file, below the folder. */
function startService(root: string): ChildProcess {
  const unit = readFileSync(path.join(root, "etc/systemd/system/fairlead-agent@.service"), "utf8");
  const lineOf = (key: string) => (new RegExp(`^${key}=(.*)$`, "m").exec(unit)?.[1] ?? "").replaceAll("%i", "node");
  const [program = "", ...args] = lineOf("ExecStart").split(" ");
  const settings = readFileSync(path.join(root, lineOf("EnvironmentFile")), "utf8")
    .trim()
    .split("\n");
  const env = Object.fromEntries(settings.map((line) => line.split("=", 2) as [string, string]));
  const [variable = "", folder = ""] = lineOf("Environment").split("=");
  return spawn(path.join(root, program), args, {
    env: { ...process.env, ...env, [variable]: path.join(root, folder) },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

async function stop(agent: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => agent.once("exit", resolve));
  agent.kill("SIGTERM");
  await ended;
}

/** A node can be removed once its agent has been silent for a while. Other tests count nodes. */
async function forget(page: Page, name: string): Promise<void> {
  const button = page.getByRole("button", { name: "Remove", exact: true });
  await expect(button).toBeEnabled({ timeout: 60_000 });
  await button.click();
  const dialog = page.getByRole("dialog", { name: `Remove ${name}?` });
  await dialog.getByRole("textbox").fill(name);
  await dialog.getByRole("button", { name: "Remove node" }).click();
  await expect(page).toHaveURL(/\/nodes$/);
}
