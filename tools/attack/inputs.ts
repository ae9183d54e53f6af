import { enroll } from "./agents.ts";
import type { Results } from "./results.ts";
import type { Target } from "./target.ts";

const controls = [
  "\u061c",
  "\u200e",
  "\u200f",
  "\u202a",
  "\u202b",
  "\u202c",
  "\u202d",
  "\u202e",
  "\u2066",
  "\u2067",
  "\u2068",
  "\u2069",
  "\u0000",
  "\u0007",
  "\u009b",
];
const hostile = "ab\u202edc";

/** attackNames writes characters that reorder what is shown, so that one name looks like another. */
export async function attackNames(target: Target, results: Results): Promise<void> {
  const { api, own } = target;
  const { addressPool, cluster, ownMachine, negotiatedPrice } = own.ids;
  for (const control of controls)
    await results.check(`note with U+${codeOf(control)}`, async () => {
      const { status } = await api(`/address-pools/${addressPool}`, {
        method: "PATCH",
        body: { note: `a${control}b` },
      });
      return { refused: status === 422, seen: String(status) };
    });
  for (const [method, at, body] of [
    ["PATCH", `/clusters/${cluster}`, { name: hostile }],
    ["PATCH", `/clusters/${cluster}`, { region: hostile }],
    ["PATCH", `/clusters/${cluster}`, { labels: { a: hostile } }],
    ["PATCH", `/clusters/${cluster}`, { labels: { [hostile]: "a" } }],
    ["POST", "/api-keys", { name: hostile, role: "viewer", scopes: ["cluster:read"] }],
    ["PATCH", `/cost/price-book/machines/${ownMachine}`, { name: hostile }],
    ["PATCH", `/cost/price-book/prices/${negotiatedPrice}`, { note: hostile }],
  ] as const)
    await results.check(
      `${method} ${at.replace(/[a-z]+_\w{26}/, "{id}")} with ${JSON.stringify(body).replace("\u202e", "U+202E")}`,
      async () => {
        const { status } = await api(at, { method, body });
        return { refused: status === 422, seen: String(status) };
      },
    );
  await results.check("warning of an agent with U+202E", async () => {
    const agent = await enroll(target, cluster, ["node"]);
    await agent.report({ warnings: [hostile] });
    agent.close();
    const { text } = await api(`/nodes/${agent.nodeId}`);
    return { refused: !text.includes("\u202e") && text.includes("u{202e}"), seen: "shown as \\u{202e}" };
  });
}

/** attackPools creates pools of addresses that no client can use, or that another cluster uses. */
export async function attackPools(target: Target, results: Results): Promise<void> {
  const { api, own } = target;
  let pools = 0;
  const create = async (prefix: string, more: object = {}, clusterId = own.ids.cluster) => {
    const body = { clusterId, name: `attack-${++pools}`, prefix, ...more };
    return (await api("/address-pools", { method: "POST", body })).status;
  };
  for (const prefix of [
    "0.0.0.0/0",
    "0.0.0.0/8",
    "0.1.2.0/24",
    "127.0.0.0/8",
    "127.0.0.1/32",
    "126.0.0.0/7",
    "169.254.169.254/32",
    "224.0.0.0/4",
    "239.1.2.0/24",
    "240.0.0.0/4",
    "255.255.255.255/32",
    "::/0",
    "::1/128",
    "::ffff:7f00:1/128",
    "fe80::/64",
    "ff02::/64",
  ])
    await results.check(`pool of ${prefix}`, async () => {
      const status = await create(prefix);
      return { refused: status === 422, seen: String(status) };
    });
  await results.check("pool that overlaps one of another cluster, unconfirmed", async () => {
    const made = await api("/clusters", { method: "POST", body: { name: "overlapping", kind: "lab" } });
    const { id } = JSON.parse(made.text) as { id: string };
    const [unconfirmed, confirmed] = [
      await create("192.0.2.0/25", {}, id),
      await create("192.0.2.0/25", { allowOverlap: true }, id),
    ];
    const refused = unconfirmed >= 400 && unconfirmed < 500 && confirmed === 201;
    return { refused, seen: `${unconfirmed}; confirmed ${confirmed}` };
  });
}

/** attackCosts reads staff costs and negotiated prices as a viewer. */
export async function attackCosts(target: Target, results: Results): Promise<void> {
  const { api, own, members } = target;
  const reads = [
    "/cost/price-book/machines",
    "/cost/price-book/prices",
    "/cost/price-book/rates",
    "/costs",
    "/usage",
    `/exposures/${own.ids.exposure}/cost-comparison`,
  ];
  for (const at of reads)
    await results.check(`viewer reads ${at.replace(own.ids.exposure, "{id}")}`, async () => {
      const { status, text } = await api(at, { headers: { authorization: "", cookie: members.viewer.cookie } });
      const isBooked = /staff|"hasPriceBook":true/i.test(text);
      return {
        refused: status === 403 || (status === 200 && !isBooked),
        seen: status === 200 ? "200, by list prices" : String(status),
      };
    });
  await results.check("(an operator's comparison uses the price book)", async () => {
    const at = `/exposures/${own.ids.exposure}/cost-comparison`;
    const { text } = await api(at, { headers: { authorization: "", cookie: members.operator.cookie } });
    return { refused: text.includes('"hasPriceBook":true'), seen: "hasPriceBook" };
  });
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
}
