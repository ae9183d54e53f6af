import { newId } from "@fairlead/domain";
import { atOnce, call, operations } from "./operations.ts";
import type { Results } from "./results.ts";
import { publicUrl, type Target } from "./target.ts";

/** The internal address of the only instance in the map: no other object has it. */
const internal = "10.77.66.55";

/** attackMaps reads every operation as a viewer who may not read maps, to find out which instance an address leads to. */
export async function attackMaps(target: Target, results: Results): Promise<void> {
  const { stack, api, own } = target;
  const external = await addToMap(target);
  const { cookie, memberId } = await target.join("viewer");
  const readable = operations.filter(({ method }) => method === "GET");
  const paths = readable.map(({ path }): string => path);
  const read = () => atOnce(readable, (operation) => call(stack.url, operation, own.ids, { cookie }));
  const shownBy = (answers: Awaited<ReturnType<typeof read>>, text: string) =>
    paths.filter((_, at) => answers[at]?.text.includes(text));

  await results.check("(a viewer reads the map)", async () => {
    const found = shownBy(await read(), internal);
    return { refused: found.includes("/exposures/{id}/mappings"), seen: found.join(", ") };
  });
  await results.check("an owner takes map:read away from a viewer", async () => {
    const { status } = await api(`/members/${memberId}`, { method: "PATCH", body: { denied: ["map:read"] } });
    return { refused: status === 200, seen: String(status) };
  });
  const answers = await read();
  await results.check("a viewer without map:read finds an internal address", () => {
    const found = shownBy(answers, internal);
    return { refused: found.length === 0, seen: found.join(", ") || `in none of ${readable.length} answers` };
  });
  for (const path of ["/load-balancers", "/load-balancers/{id}", "/exposures", "/exposures/{id}", "/events"])
    await results.check(`a viewer without map:read finds the address of a load balancer in ${path}`, () => {
      const isShown = shownBy(answers, external).includes(path);
      return { refused: !isShown, seen: isShown ? external : "no address" };
    });
  for (const path of paths.filter((each) => /mappings(\.yaml)?$|^\/mapping/.test(each)))
    await results.check(`a viewer without map:read reads ${path}`, () => {
      const status = answers[paths.indexOf(path)]?.status ?? 0;
      return { refused: status === 403, seen: String(status) };
    });
  await results.check("a viewer gives themselves map:read", async () => {
    const { status } = await api(`/members/${memberId}`, {
      method: "PATCH",
      body: { denied: [] },
      headers: { authorization: "", cookie, origin: publicUrl },
    });
    return { refused: status === 403, seen: String(status) };
  });
}

/** addToMap adds an instance to the map of the fleet's exposure, and returns the address of its load balancer. */
async function addToMap({ db, own }: Target): Promise<string> {
  const { organization: organizationId, exposure: exposureId, cluster: clusterId, loadBalancer: id } = own.ids;
  const { address: external } = await db.virtualAddress.findFirstOrThrow({ where: { loadBalancerId: id } });
  const now = new Date();
  const mapped = { instance: "hidden", pod: "hidden-0", node: "n1", protocol: "tcp", ready: true, since: now };
  const ports = { internalPort: 80, externalPort: 443, observedAt: now };
  await db.addressMapping.create({
    data: {
      ...{ id: newId("addressMapping"), organizationId, exposureId, loadBalancerId: id, ...mapped, ...ports },
      ...{ internalAddress: internal, externalAddress: external },
    },
  });
  const observed = { nodeName: "n1", workload: "hidden", addresses: [internal], ready: true, changedAt: now };
  const source = own.ids.agent;
  await db.instance.create({
    data: { id: newId("instance"), organizationId, clusterId, name: "hidden", source, ...observed },
  });
  return external;
}
