import { answersOf } from "@fairlead/drivers/kubernetes-testing";
import type { Page } from "@playwright/test";
import { activate, choose, fillIn, openTab, runFromPalette, tabTo } from "../support/keyboard.ts";
import { apply, kubeconfigOfSecret, test } from "../support/nodes.ts";
import { owner } from "../support/product.ts";
import { totalOf, unique } from "../support/rest.ts";
import { expect } from "../support/test.ts";

test.use({ storageState: { cookies: [], origins: [] } });

const pods = "/api/v1/namespaces/default/pods";

test("the first hour works by keyboard alone: from the sign-in to an exposure that serves, a key, a pool and a node's command", async ({
  page,
  nodes,
}) => {
  test.setTimeout(240_000);
  await withoutMouse(page);
  const name = unique("hour");
  const dialog = (title: string | RegExp) => page.getByRole("dialog", { name: title });

  await test.step("sign in", async () => {
    await page.goto("/");
    await expect(page.getByLabel("Email")).toBeFocused();
    await page.keyboard.type(owner.email);
    await fillIn(page, page.getByLabel("Password"), owner.password);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  });

  await test.step("attach a cluster", async () => {
    await runFromPalette(page, "create cluster", /^Create cluster/);
    const form = dialog("Create a cluster");
    await expect(form.getByLabel("Name", { exact: true })).toBeFocused();
    await page.keyboard.type(name);
    await activate(page, form.locator("summary", { hasText: "Create a dedicated account" }));
    await apply(nodes, await form.getByRole("region", { name: "Manifest", exact: true }).innerText());
    await tabTo(page, form.getByRole("textbox", { name: "Kubeconfig" }), { key: "Shift+Tab" });
    // Pasted: typing it takes seconds.
    await page.keyboard.insertText(await kubeconfigOfSecret(nodes));
    await expect(form.getByRole("region", { name: "Preview" })).toContainText(new URL(nodes.control.url).host);
    await activate(page, form.getByRole("button", { name: "Create cluster" }));
    await expect(form).toBeHidden();
  });

  await test.step("open the page of the cluster", async () => {
    await runFromPalette(page, name, new RegExp(name));
    await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
    await expect(page.getByRole("main")).toBeFocused();
  });

  await test.step("expose the workload", async () => {
    await openTab(page, "Kubernetes");
    await expect(page.getByRole("region", { name: "Kubernetes", exact: true }).getByRole("status")).toContainText(
      "Connected",
    );
    await nodes.control.api.create("/apis/apps/v1/namespaces/default/statefulsets", answersOf("hello", 2));
    await activate(page, page.getByRole("link", { name: "Expose default/hello" }));
    await expect(page.getByRole("heading", { level: 1, name: "Create exposure" })).toBeVisible();
    await expect(page.getByRole("main")).toBeFocused();
    await fillIn(page, page.getByLabel("Port", { exact: true }), "8080");
    await tabTo(page, page.getByRole("radio", { name: "Per replica" }));
    await choose(page, page.getByRole("combobox", { name: "Addresses" }), "the node");
    await expect(page.getByRole("region", { name: "Preview" })).not.toContainText("Missing:");
    await activate(page, page.getByRole("button", { name: "Create exposure" }));
    await expect(page.getByRole("heading", { level: 1 })).toContainText("hello");
    await expect(page.getByRole("main")).toBeFocused();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Serving");
    await openTab(page, "Events");
    await expect(page.getByRole("table", { name: "Conditions" })).toBeVisible();
  });

  await test.step("reach each instance, also after its pod is replaced", async () => {
    await openTab(page, "Address map");
    const row = page.getByRole("row", { name: /hello-0/ });
    const [, address = "", port = ""] = /(10\.250\.0\.\d+):(\d+)/.exec(await row.innerText()) ?? [];
    const ask = () => nodes.client.ask(address, Number(port)).then(({ instance }) => instance);
    await expect.poll(ask).toBe("hello-0");
    const [inside = ""] = /10\.244\.\d+\.\d+/.exec(await row.innerText()) ?? [];
    await nodes.control.api.delete(`${pods}/hello-0`);
    await expect(row).not.toContainText(`${inside}:`);
    await expect(row).toContainText(/Ready.*10\.244\./s);
  });

  await test.step("create a key for programs that read the map", async () => {
    await runFromPalette(page, "api keys", /^View API keys/);
    await activate(page, page.getByRole("button", { name: "Create API key" }));
    const form = dialog("Create an API key");
    await expect(form.getByLabel("Name", { exact: true })).toBeFocused();
    await page.keyboard.type(name);
    const scope = form.getByRole("checkbox", { name: "map:read" });
    await tabTo(page, scope);
    await page.keyboard.press("Space");
    await expect(scope).toBeChecked();
    await activate(page, form.getByRole("button", { name: "Create key" }));
    await expect(page.getByRole("dialog")).toContainText(/fl_/);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(page.getByRole("button", { name: "Create API key" })).toBeFocused();
  });

  await test.step("create an address pool", async () => {
    await runFromPalette(page, "create address pool", /^Create address pool/);
    const form = dialog("Create an address pool");
    await choose(page, form.getByLabel("Cluster"), name);
    await fillIn(page, form.getByLabel("Name", { exact: true }), "public");
    await fillIn(page, form.getByLabel("Prefix"), "100.127.0.0/24");
    await activate(page, form.getByRole("button", { name: /^Create/ }));
    await expect(form).toBeHidden();
    await expect(page.getByRole("grid", { name: "Address pools" })).toContainText("100.127.0.0/24");
  });

  await test.step("get the command that adds a machine", async () => {
    await runFromPalette(page, "add node", /^Add node/);
    const form = dialog("Add node");
    await choose(page, form.getByLabel("Cluster"), name);
    await choose(page, form.getByLabel("Role"), "Node");
    await activate(page, form.getByRole("button", { name: "Create token" }));
    const command = form.getByRole("region", { name: "Command to add this node" });
    await expect(command).toContainText("install.sh");
    await tabTo(page, form.getByRole("button", { name: /^Copy/ }).first());
    await activate(page, form.getByRole("button", { name: "Close" }).last());
    await expect(form).toBeHidden();
  });

  await test.step("delete the exposure", async () => {
    await runFromPalette(page, "hello", /^hello/);
    await activate(page, page.getByRole("button", { name: "Delete", exact: true }));
    await expect(dialog("Delete hello?").getByRole("textbox")).toBeFocused();
    await page.keyboard.type("hello");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/exposures$/);
    // Its connections drain first.
    await expect.poll(() => totalOf(page.request, "exposures"), { timeout: 60_000 }).toBe(0);
  });
});

/** withoutMouse fails the test at any use of the mouse, also one by mistake in this file. */
async function withoutMouse(page: Page): Promise<void> {
  await page.addInitScript(() => {
    for (const type of ["pointerdown", "mousedown"])
      addEventListener(type, () => console.error("the mouse was used"), { capture: true });
  });
}
