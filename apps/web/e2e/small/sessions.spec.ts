import type { ExposureDetail } from "@fairlead/domain/exposure";
import { everywhere } from "../support/accessibility.ts";
import { chooseCluster } from "../support/forms.ts";
import { attachCluster } from "../support/kubernetes.ts";
import { leave } from "../support/leave.ts";
import { create, ensurePool, remove, unique } from "../support/rest.ts";
import { insertSessions, keyNames, removeSessions } from "../support/sessions.ts";
import { showTab } from "../support/show-tab.ts";
import { expect, test } from "../support/test.ts";

test("an exposure by TLS session is created, and its page shows who returns and why others don't", async ({
  page,
  request,
}) => {
  const lab = await create(request, "clusters", { name: unique("tls"), kind: "lab" });
  const pool = await ensurePool(request, lab);
  const name = unique("shop");

  await test.step("the form explains its fields, and creates what they say", async () => {
    await page.goto("/exposures/new");
    await chooseCluster(page, lab);
    await page.getByLabel("Name", { exact: true }).first().fill(name);
    await page.getByLabel("Workload name").fill("shop");
    await page.getByLabel("Port", { exact: true }).fill("443");
    await page.getByRole("radio", { name: "Session", exact: true }).check();
    await page.getByLabel("Server names").fill("shop.example.com, -");
    await page.getByLabel("Ticket lifetime, hours").fill("999");
    await page.getByRole("button", { name: "Create exposure" }).click();
    await expect(page.getByLabel("Server names")).toHaveAccessibleDescription(/up to 8 names that clients use/);
    await expect(page.getByLabel("Ticket lifetime, hours")).toHaveAccessibleDescription(/between 1 and 168/);
    await page.getByLabel("Server names").fill("shop.example.com");
    await page.getByLabel("Ticket lifetime, hours").fill("48");
    await page.getByText("Fallback: proxy.").click();
    await page.getByRole("radio", { name: /^Plain layer 4/ }).check();
    await page.getByLabel("Drain time of sessions, seconds").fill("86401");
    await page.getByLabel("Drain time of connections, seconds").fill("30");
    await page.getByRole("button", { name: "Create exposure" }).click();
    await expect(page.getByLabel("Drain time of sessions, seconds")).toHaveAccessibleDescription(/between 0 and 86400/);
    await page.getByLabel("Drain time of sessions, seconds").fill("600");
    await everywhere(page, "main");
    await page.getByRole("button", { name: "Create exposure" }).click();
    await expect(page).toHaveURL(/\/exposures\/exp_/);
  });

  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const detail = async () => (await (await request.get(`/api/v1/exposures/${id}`)).json()) as ExposureDetail;
  expect((await detail()).strategy).toEqual({
    ...{ type: "session", replicas: 2, poolId: pool.id, names: "learned", ids: true, ticketHours: 48 },
    ...{ serverNames: ["shop.example.com"], fallbacks: ["plain"], sessionDrainSeconds: 600, drainSeconds: 30 },
  });

  await test.step("without agents, the tab states what is missing", async () => {
    await showTab(page, "Sessions");
    await expect(page.getByRole("region", { name: "Backends" })).toContainText("No backends yet.");
    await expect(page.getByRole("region", { name: "Measured" })).toContainText("no replica places connections");
  });

  await expect.poll(async () => (await detail()).addresses.length).toBe(1);
  await request.patch(`/api/v1/exposures/${id}`, { data: { labels: { team: "web" } } });
  await request.post(`/api/v1/exposures/${id}/pause`);
  await insertSessions(id);
  await page.goto(`/exposures/${id}?tab=sessions`);

  await test.step("each replica and each backend has its state and the reason", async () => {
    const state = page.getByRole("region", { name: "State" });
    await expect(state).toContainText(/epoch 12, created 3 h/);
    await expect(state.getByRole("note")).toContainText("The node node-3 has no agent of the role backend");
    const replicas = page.getByRole("table", { name: "Replicas" }).getByRole("row");
    await expect(replicas.nth(1)).toContainText(/lb-2.*By proxy.*The engine xdp can't place connections/);
    await expect(replicas.nth(2)).toContainText(/lb-1.*By session/);
    const backends = page.getByRole("table", { name: "Backends by TLS session" }).getByRole("row");
    await expect(backends.nth(1)).toContainText(/shop-1.*Not accepted.*listens with MPTCP.*Random.*2.*node-2/);
    await expect(backends.nth(2)).toContainText(/shop-2.*Not accepted.*node-3 has no agent.*Unknown.*3.*node-3/);
    await expect(backends.nth(3)).toContainText(/shop-0.*Accepted.*Stable.*1.*node-1/);
    for (const key of keyNames) await expect(backends.nth(3)).toContainText(key.slice(0, 12));
  });

  await test.step("charts show how many clients return, with changes of the spec", async () => {
    const legend = (title: string) => page.getByRole("region", { name: title, exact: true }).getByRole("table");
    // Of both replicas: 218 of 240 by the last samples.
    await expect(legend("Hit rate").getByRole("row", { name: /^all returning clients/ })).toContainText(/90\.8\s%/);
    await expect(legend("Returning clients").getByRole("row", { name: /^home/ })).toContainText(/218\s\/s/);
    await expect(legend("Returning clients").getByRole("row", { name: /^unknown name/ })).toContainText(/10\.0\s\/s/);
    await expect(legend("TLS hellos").getByRole("row", { name: /^PSK/ })).toContainText(/180\s\/s/);
    await expect(legend("SYNs and hellos").getByRole("row", { name: /^lb-1 SYNs/ })).toContainText(/420\s\/s/);
    await expect(legend("Accepted connections").getByRole("row", { name: /^shop-0/ })).toContainText(/110\s\/s/);
    await expect(legend("Searched session ids").getByRole("row", { name: /^found/ })).toContainText(/4\.00\s\/s/);
    await expect(legend("Waiting hellos").getByRole("row", { name: /^all replicas/ })).toContainText("8.00");
  });
  await everywhere(page, "main");

  await test.step("the note leads to the command for such an agent", async () => {
    await page.getByRole("link", { name: "Create the command that installs it" }).click();
    await expect(page.getByRole("dialog", { name: "Add node" }).getByLabel("Role")).toHaveValue("backend");
  });
  await leave(page);
  await removeSessions(id, lab.id);
  await remove(request, "address-pools", pool.id);
  await remove(request, "clusters", lab.id);
});

test("an exposure with managed ticket keys shows their rotation, which starts by hand", async ({ page, request }) => {
  const lab = await create(request, "clusters", { name: unique("keys"), kind: "lab" });
  const pool = await ensurePool(request, lab);
  await page.goto("/exposures/new");
  await chooseCluster(page, lab);
  await page.getByLabel("Name", { exact: true }).first().fill(unique("shop"));
  await page.getByLabel("Workload name").fill("shop");
  await page.getByLabel("Port", { exact: true }).fill("443");
  await page.getByRole("radio", { name: "Session", exact: true }).check();
  await page.getByRole("radio", { name: /^Managed/ }).check();
  await page.getByLabel("Server software").selectOption("haproxy");
  await page.getByLabel("Folder for keys").fill("/etc/haproxy/tickets");
  await page.getByRole("button", { name: "Create exposure" }).click();
  await expect(page.getByLabel("Folder for keys")).toHaveAccessibleDescription(/Put \{instance\} into the path/);
  await page.getByLabel("Folder for keys").fill("/etc/haproxy/tickets/{instance}");
  await page.getByLabel("Runtime socket").fill("/run/haproxy/admin.sock");
  await page.getByLabel("Rotate every, hours").fill("12");
  await everywhere(page, "main");
  await page.getByRole("button", { name: "Create exposure" }).click();
  await expect(page).toHaveURL(/\/exposures\/exp_/);

  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const detail = async () => (await (await request.get(`/api/v1/exposures/${id}`)).json()) as ExposureDetail;
  const ticketKeys = {
    software: "haproxy",
    folder: "/etc/haproxy/tickets/{instance}",
    socket: "/run/haproxy/admin.sock",
  };
  expect((await detail()).strategy).toMatchObject({ names: "managed", ticketKeys: { ...ticketKeys, rotateHours: 12 } });
  await expect.poll(async () => (await detail()).session?.ticketRotation?.epoch).toBe(1);
  await showTab(page, "Sessions");
  await page.getByRole("button", { name: "Rotate keys" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate keys" }).click();
  await expect.poll(async () => (await detail()).session?.ticketRotation?.epoch).toBe(2);
  await everywhere(page, "main");
  await leave(page);
  await removeSessions(id, lab.id);
  await remove(request, "address-pools", pool.id);
  await remove(request, "clusters", lab.id);
});

test("managed ticket keys of pods need the Secret that they mount, and only those of pods have one", async ({
  page,
  request,
}) => {
  const { cluster, close } = await attachCluster(request);
  const pool = await ensurePool(request, cluster);
  const lab = await create(request, "clusters", { name: unique("keys"), kind: "lab" });
  const secret = page.getByLabel(/^Secret/);
  await page.goto("/exposures/new");
  await chooseCluster(page, cluster);
  await page.getByLabel("Name", { exact: true }).first().fill(unique("shop"));
  await page.getByLabel("Workload name").fill("shop");
  await page.getByLabel("Port", { exact: true }).fill("443");
  await page.getByRole("radio", { name: "Session", exact: true }).check();
  await page.getByRole("radio", { name: /^Managed/ }).check();
  await page.getByLabel("Folder for keys").fill("/etc/nginx/tickets");

  await test.step("it is required, and its name is checked", async () => {
    await expect(secret).toHaveAttribute("placeholder", /^shop.*-tickets$/);
    await page.getByRole("button", { name: "Create exposure" }).click();
    await expect(secret).toHaveAccessibleDescription(/Enter the name of the Secret that the pods mount\./);
    await secret.fill("Shop tickets");
    await page.getByRole("button", { name: "Create exposure" }).click();
    await expect(secret).toHaveAccessibleDescription(/Enter the name of a Secret, such as shop-tickets\./);
    await secret.fill("shop-tickets");
    await expect(secret).not.toHaveAttribute("aria-invalid", "true");
  });

  await test.step("it has to be empty for servers on nodes, whose field then disappears", async () => {
    await chooseCluster(page, lab);
    await secret.focus();
    await secret.blur();
    await expect(secret).toHaveAccessibleDescription(/Leave it empty: only pods mount a Secret\./);
    await secret.fill("");
    await expect(secret).toBeHidden();
    await chooseCluster(page, cluster);
    await secret.fill(" shop-tickets ");
  });
  await everywhere(page, "main");
  await page.getByRole("button", { name: "Create exposure" }).click();
  await expect(page).toHaveURL(/\/exposures\/exp_/);

  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const { strategy } = (await (await request.get(`/api/v1/exposures/${id}`)).json()) as ExposureDetail;
  const ticketKeys = { software: "nginx", folder: "/etc/nginx/tickets", secret: "shop-tickets", rotateHours: 24 };
  expect(strategy).toMatchObject({ names: "managed", ticketKeys });
  await showTab(page, "Spec");
  await expect(page.getByRole("main")).toContainText("from the Secret shop-tickets");
  await leave(page);
  await removeSessions(id, cluster.id);
  await remove(request, "address-pools", pool.id);
  await remove(request, "clusters", lab.id);
  await close();
});
