import { sendJson, startHttpsServer } from "@fairlead/drivers/https-testing";
import { everywhere } from "../support/accessibility.ts";
import { leave } from "../support/leave.ts";
import { remove, unique } from "../support/rest.ts";
import { showTab } from "../support/show-tab.ts";
import { expect, test } from "../support/test.ts";

// The browser logs every form request that the server rejects.
test.use({ allowedProblems: /status of 422/ });

const token = "t0ken-that-no-page-may-show";

function kubeconfig(server: string, authority: string, user: object = { token }, contexts = ["a"]): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "one", cluster: { server, "certificate-authority-data": btoa(authority) } }],
    users: [{ name: "me", user }],
    contexts: contexts.map((name) => ({ name, context: { cluster: "one", user: "me" } })),
  });
}

test("a cluster is attached with a kubeconfig that is previewed, rejected if unusable, and never shown again", async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  let denied = '"group":"","resource":"services","verb":"delete"';
  const api = await startHttpsServer(({ url }, response, body) => {
    if (url === "/version") return sendJson(response, 200, { gitVersion: "v1.36.3" });
    sendJson(response, 201, { status: { allowed: denied === "" || !body.includes(denied) } });
  });
  const name = unique("kube");
  try {
    await page.goto("/clusters?create=true");
    const form = page.getByRole("dialog", { name: "Create a cluster" });
    await form.getByLabel("Name", { exact: true }).fill(name);
    const text = form.getByRole("textbox", { name: "Kubeconfig" });
    const preview = form.getByRole("region", { name: "Preview" });
    await expect(preview).toContainText("Fairlead connects only after you save");

    await text.fill(kubeconfig(api.url, api.authority, { exec: { command: "/usr/bin/aws" } }));
    await expect(preview).toContainText("running a program (aws)");
    await text.fill(
      kubeconfig(api.url, api.authority, { "client-certificate": "/home/me/me.crt", "client-key": "/k" }),
    );
    await expect(preview).toContainText("is a file on your machine");
    await form.getByRole("button", { name: "Create cluster" }).click();
    await expect(text).toHaveAccessibleDescription(/is a file on your machine.*--flatten/);
    await text.fill("kind: Config\n---\nkind: Config\n");
    await expect(preview).toContainText("There are 2 YAML documents");

    // As a file, with two contexts and no current one.
    const file = {
      name: "config",
      mimeType: "text/yaml",
      buffer: Buffer.from(kubeconfig(api.url, api.authority, { token }, ["a", "b"])),
    };
    await form.getByLabel("Kubeconfig file").setInputFiles(file);
    await expect(preview).toContainText("Choose one of a, b");
    await form.getByLabel("Context").selectOption("b");
    await expect(preview).toContainText(new URL(api.url).host);
    await expect(preview).toContainText("Token");
    await expect(preview).not.toContainText("Choose one of");
    await preview.getByText("Required permissions and their reasons").click();
    await expect(preview).toContainText("endpointslices.discovery.k8s.io");
    await preview.getByText("Create a dedicated account").click();
    await expect(preview.getByRole("region", { name: "Manifest", exact: true })).toContainText(
      "kind: ClusterRoleBinding",
    );
    expect(api.requests).toEqual([]);

    await form.getByRole("button", { name: "Create cluster" }).click();
    await expect(form).toBeHidden();
    await page.goto(`/clusters?q=${name}`);
    await page.getByRole("link", { name, exact: true }).first().click();
    await showTab(page, "Kubernetes");
    const section = page.getByRole("region", { name: "Kubernetes", exact: true });
    await expect(section.getByRole("status")).toContainText("Missing permissions", { timeout: 30_000 });
    await expect(section.getByRole("status")).toContainText("It isn't allowed to delete services");
    await expect(section).toContainText("v1.36.3");
    const missing = section.getByRole("row", { name: /^services delete Missing/ });
    await expect(missing).toContainText("To create the Services of exposures");
    await section.getByText("Grant missing permissions").click();
    await expect(section.getByRole("region", { name: "Manifest", exact: true })).toContainText("kind: ServiceAccount");
    expect(api.requests.at(-1)).toContain(`Bearer ${token}`);

    denied = "";
    await section.getByRole("button", { name: "Replace kubeconfig" }).click();
    const again = page.getByRole("dialog", { name: /^Replace the kubeconfig/ });
    await again
      .getByRole("textbox", { name: "Kubeconfig" })
      .fill(kubeconfig(api.url, api.authority, { token: "another" }));
    await again.getByRole("button", { name: "Save" }).click();
    await expect(again).toBeHidden();
    await expect(section.getByRole("status")).toContainText("Connected", { timeout: 30_000 });
    await expect(section.getByRole("row", { name: /Missing/ })).toHaveCount(0);
    expect(await page.content()).not.toContain(token);

    await showTab(page, "Nodes");
    await page.getByRole("button", { name: "Balancers as pods" }).click();
    const pods = page.getByRole("dialog", { name: `Balancers as pods of ${name}` });
    await pods.getByLabel("Image").fill("Not An Image");
    await pods.getByRole("button", { name: "Create manifest" }).click();
    await expect(pods.getByLabel("Image")).toHaveAccessibleDescription(/enter an image/i);
    await everywhere(page);
    await pods.getByLabel("Image").fill("registry.example.com/fairlead-agent:1");
    await pods.getByLabel("Network").selectOption("Host network");
    await pods.getByRole("button", { name: "Create manifest" }).click();
    const manifest = pods.getByRole("region", { name: "Manifest", exact: true });
    await expect(manifest).toContainText("kind: DaemonSet");
    await expect(manifest).toContainText("hostNetwork: true");
    await expect(pods.getByRole("note")).toContainText("Agents on other machines can't reach https://127.0.0.1:");
    await expect(pods.getByRole("status")).toHaveText("Waiting for the first pod to connect.");
    await everywhere(page);
    await pods.getByRole("button", { name: "Close" }).click();
    const tokens = page.getByRole("table", { name: "Reusable tokens" });
    await tokens.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete token" }).click();
    await expect(tokens).toBeHidden();

    await showTab(page, "Kubernetes");
    await section.getByRole("button", { name: "Detach" }).click();
    await page
      .getByRole("dialog", { name: `Detach ${name}?` })
      .getByRole("button", { name: "Detach cluster" })
      .click();
    await expect(section).toContainText("Not attached, so the workloads");
    await expect(section.getByRole("button", { name: "Attach" })).toBeVisible();
    const id = new URL(page.url()).pathname.split("/").pop() ?? "";
    await leave(page);
    await remove(request, "clusters", id);
  } finally {
    await api.close();
  }
});

test("an unreachable cluster shows the error and what to do", async ({ page, request }) => {
  const gone = await startHttpsServer(() => undefined);
  await gone.close();
  const data = {
    name: unique("kube"),
    kind: "kubernetes",
    kubernetes: { kubeconfig: kubeconfig(gone.url, gone.authority) },
  };
  const made = await request.post("/api/v1/clusters", { data });
  expect(made.ok(), await made.text()).toBe(true);
  const { id } = await made.json();
  await page.goto(`/clusters/${id}?tab=kubernetes`);
  const status = page.getByRole("region", { name: "Kubernetes", exact: true }).getByRole("status");
  await expect(status).toContainText("Unreachable", { timeout: 30_000 });
  await expect(status).toContainText("the connection was refused; check that the API runs");
  await leave(page);
  await remove(request, "clusters", id);
});
