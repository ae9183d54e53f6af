import { expect, it } from "vitest";
import type { PodTicketKey, PodTickets } from "../../pod-tickets.ts";
import { ticketFiles } from "./ticket-files.ts";

const secret = Buffer.from(Array.from({ length: 64 }, (_, i) => i));
const keyOf = (number: number): PodTicketKey => ({ name: Buffer.alloc(16, number), secret });
const pods = [
  { pod: "web-0", keys: [keyOf(1), keyOf(2)] },
  { pod: "web-1", keys: [keyOf(3), keyOf(4)] },
];
const filesOf = (software: PodTickets["software"], of: PodTickets["pods"] = pods, folder = "/etc/tickets") =>
  new Map(ticketFiles({ software, folder, pods: of }));
const fileOf = (number: number) => `ticket-${Buffer.alloc(16, number).toString("hex")}.key`;
const ssl = (number: number) => `ssl_session_ticket_key /etc/tickets/${fileOf(number)};\n`;

it("gives each pod of nginx its own key first, and all keys that pods share", () => {
  const files = filesOf("nginx");
  expect([...files.keys()]).toEqual([...[1, 2, 3, 4].map(fileOf), "web-0.conf", "web-1.conf", "_all.conf"]);
  expect(files.get(fileOf(3))).toEqual(Buffer.concat([Buffer.alloc(16, 3), secret]));
  expect(files.get("web-1.conf")).toBe(`${ssl(3)}include /etc/tickets/_all.conf;\n`);
  expect(files.get("_all.conf")).toBe([1, 2, 3, 4].map(ssl).join(""));
});

it("quotes folders in nginx's directives", () => {
  expect(filesOf("nginx", pods, '/etc/my "keys"/').get("web-0.conf")).toContain(
    `ssl_session_ticket_key "/etc/my \\"keys\\"/${fileOf(1)}";`,
  );
});

it("gives each pod of Envoy one file with all keys, its own first", () => {
  const { resources } = JSON.parse(String(filesOf("envoy").get("web-1.json")));
  expect(resources[0]).toMatchObject({ name: "tickets", "@type": expect.stringContaining("tls.v3.Secret") });
  const names = resources[0].session_ticket_keys.keys.map(
    ({ inline_bytes }: { inline_bytes: string }) => Buffer.from(inline_bytes, "base64")[0],
  );
  expect(names).toEqual([3, 4, 1, 2]);
});

it("gives pods of Go and Node short keys: Go all of them, Node its own one", () => {
  const go = filesOf("go");
  expect(go.get("web-1.key")).toEqual(
    Buffer.concat([keyOf(3), keyOf(4)].flatMap((each) => [each.name, secret.subarray(0, 32)])),
  );
  expect(go.get("_all.key")).toHaveLength(4 * 48);
  const node = filesOf("node");
  expect([...node.keys()]).toEqual(["web-0.key", "web-1.key"]);
  expect(node.get("web-1.key")).toEqual(Buffer.concat([Buffer.alloc(16, 3), secret.subarray(0, 32)]));
});

it.each([
  ["nginx", 500],
  ["go", 500],
  ["node", 500],
  ["envoy", 40],
] as const)("fits into a Secret with %s for %d pods, and refuses more", (software, most) => {
  const many = Array.from({ length: most + 1 }, (_, i) => ({
    pod: `${"shop".repeat(14)}-${i}`,
    keys: [0, 1, 2, 3].map((n) => ({ name: Buffer.alloc(16, `${i} ${n}`), secret })),
  }));
  const files = filesOf(software, many.slice(0, most), "/var/run/secrets/fairlead.dev/tickets");
  const bytes = [...files].reduce((sum, [name, content]) => sum + name.length + Buffer.byteLength(content), 0);
  expect(bytes).toBeLessThan(1_048_576);
  expect(() => filesOf(software, many)).toThrow(`keys of ${most + 1} pods, and a Secret has room for ${most}`);
});
