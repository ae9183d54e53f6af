import type { ExposureDetail } from "@fairlead/domain/exposure";
import { everywhere, phone } from "../support/accessibility.ts";
import { insertAdaptive } from "../support/adaptive.ts";
import { leave } from "../support/leave.ts";
import { create, ensurePool, remove, unique } from "../support/rest.ts";
import { removeSessions } from "../support/sessions.ts";
import { showTab } from "../support/show-tab.ts";
import { expect, test } from "../support/test.ts";

test.use({ allowedProblems: /status of 422 .*exposure\.whatIf/ });

test("an exposure with the strategy adaptive shows where connections of each node go, and why", async ({
  page,
  request,
}) => {
  const lab = await create(request, "clusters", { name: unique("adaptive"), kind: "lab" });
  const pool = await ensurePool(request, lab);
  const { id } = await create(request, "exposures", {
    clusterId: lab.id,
    name: unique("shop"),
    workload: { namespace: "default", kind: "deployment", name: "shop" },
    ports: [{ port: 80, targetPort: 8080, protocol: "tcp" }],
    strategy: { type: "adaptive", poolId: pool.id },
  });
  const detail = async () => (await (await request.get(`/api/v1/exposures/${id}`)).json()) as ExposureDetail;
  const part = (title: string) => page.getByRole("region", { name: title, exact: true });

  await test.step("before any report, the tab states what is missing", async () => {
    await page.goto(`/exposures/${id}`);
    await showTab(page, "Connections");
    await expect(part("State")).toContainText("The cluster has no nodes yet.");
    await expect(part("Routes")).toContainText("No routes: the cluster has no nodes with instances");
    await expect(part("Nodes")).toContainText("No nodes yet.");
    await expect(part("Decisions")).toContainText("No decisions yet.");
    await expect(part("Measured")).toContainText("No samples in this range.");
    await expect(page.getByRole("link", { name: "Read how nodes of a lab get an agent" })).toBeVisible();
  });

  await expect.poll(async () => (await detail()).addresses.length).toBe(1);
  await request.post(`/api/v1/exposures/${id}/pause`);
  await insertAdaptive(id);
  await page.goto(`/exposures/${id}?tab=connections`);

  await test.step("the matrix has the routes of each node", async () => {
    const rows = page.getByRole("table", { name: "Routes by node" }).getByRole("row");
    await expect(rows).toHaveCount(4);
    await expect(rows.nth(1).getByRole("rowheader")).toHaveText(/node-1.*36 from outside, 6 open/);
    await expect(rows.nth(2).getByRole("rowheader")).toHaveText("node-2");
    const cells = (row: number) => rows.nth(row).getByRole("cell");
    await expect(cells(1).nth(0)).toHaveText(/75\.0\s%local.*cost 6\.00\sms.*2\.5 in flight/);
    await expect(cells(1).nth(1)).toHaveText(/25\.0\s%.*round trip 420\sµs.*7\.3 in flight/);
    await expect(cells(1).nth(1)).not.toContainText("local");
    await expect(cells(1).nth(2)).toHaveText(/0\s%by weight.*round trip unknown.*in flight unknown/);
    await expect(cells(2).nth(1)).toHaveText(/90\.0\s%local/);
    await expect(cells(3).nth(2)).toHaveText(/–localby weight/);
  });

  await test.step("each node has its state, its figures and the reason", async () => {
    await expect(part("State")).toContainText("Distributes connections on 2 of 4 nodes.");
    const rows = page.getByRole("table", { name: "Nodes" }).getByRole("row");
    await expect(rows.nth(1)).toContainText(/node-3.*Limited.*Another program uses the hooks\..*–.*2.*0\s%.*0.*2 of 2/);
    await expect(rows.nth(2)).toContainText(/node-4.*Not carried.*no agent of the role adaptive/);
    await expect(rows.nth(3)).toContainText(/node-1.*Distributing.*75\.0\s%.*4.*1 of 2no figures from node-3/);
    await expect(rows.nth(4)).toContainText(/node-2.*Distributing.*90\.0\s%.*2.*12\.5\s%.*3.*1 of 2/);
  });

  await test.step("each decision has the compared costs and the chosen node", async () => {
    const rows = page.getByRole("table", { name: "Decisions" }).getByRole("row");
    await expect(rows.nth(1)).toContainText(
      /node-1 → node-3.*by weight.*node-2.*node-1.*node-3figures too old.*chosen/,
    );
    await expect(rows.nth(2)).toContainText(/node-1 → node-2.*cost.*node-26\.25\sms.*chosen.*node-19\.50\sms/);
    await part("Decisions").getByRole("button", { name: "Show 2 more" }).click();
    await expect(rows).toHaveCount(13);
  });

  await test.step("a chart has the local share of each node", async () => {
    const legend = page.getByRole("region", { name: "Answered on the client's node" }).getByRole("table");
    await expect(legend.getByRole("row", { name: /^node-1/ })).toContainText(/75\.0\s%/);
    await expect(legend.getByRole("row", { name: /^node-2/ })).toContainText(/90\.0\s%/);
  });

  await test.step("a chart has what each node sent to others, and the round trips that this saved are added up", async () => {
    const legend = page.getByRole("region", { name: "Sent to other nodes" }).getByRole("table");
    await expect(legend.getByRole("row", { name: /^all nodes/ })).toContainText(/14\.0\s\/s/);
    await expect(legend.getByRole("row", { name: /^node-1/ })).toContainText(/10\.0\s\/s/);
    await expect(part("Measured")).toContainText(
      /Round trips.*less \(75\s%\).*with an even choice among all instances/,
    );
  });

  await test.step("a change is predicted next to now, and a wrong one is explained under its field", async () => {
    const form = part("What if");
    await form.getByRole("button", { name: "Predict" }).click();
    await expect(form.getByRole("alert")).toContainText("Enter a change: instances");
    await form.getByRole("textbox", { name: "Round trip between nodes, ms" }).fill("far");
    await form.getByRole("button", { name: "Predict" }).click();
    await expect(form.getByRole("alert")).toContainText("Enter a number");
    await form.getByRole("textbox", { name: "Round trip between nodes, ms" }).fill("18");
    await form.getByRole("textbox", { name: "Instances on node-1" }).fill("0");
    await form.getByRole("button", { name: "Predict" }).click();
    const row = (name: RegExp) => form.getByRole("table", { name: "Prediction" }).getByRole("row", { name });
    await expect(row(/^Latency, p99/)).toContainText(/ms/);
    await expect(row(/^Load of node-1/)).toContainText(/\d\s%no instance/);
    await expect(form).toContainText("they are assumed to be exponential");
    for (const node of ["node-2", "node-3"])
      await form.getByRole("textbox", { name: `Instances on ${node}` }).fill("0");
    await form.getByRole("button", { name: "Predict" }).click();
    await expect(form.getByRole("alert")).toContainText("No node would have an instance. Keep at least one.");
  });
  await everywhere(page, "main");

  await test.step("on a phone, the matrix is a list with the most used routes first", async () => {
    await page.setViewportSize(phone);
    await expect(page.getByRole("table", { name: "Routes by node" })).toBeHidden();
    const ofNode = page
      .getByRole("list", { name: "Routes by node" })
      .getByRole("listitem")
      .filter({ hasText: "From node-2" });
    await expect(ofNode.getByRole("listitem").first()).toContainText(/node-2local90\.0\s%/);
  });
  await leave(page);
  await removeSessions(id, lab.id);
  await remove(request, "address-pools", pool.id);
  await remove(request, "clusters", lab.id);
});
