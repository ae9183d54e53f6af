import { expect, it } from "vitest";
import { type BackendReport, checkBackend, type ReportedServer } from "./backend-report.ts";

const server = (fields: Partial<ReportedServer> = {}): ReportedServer => ({
  ...{ backendId: "bak_1", ready: true, message: "", companion: "10.8.0.1:7446", ticketRevision: 0, ticketProblem: "" },
  ...fields,
});

it("keeps what an agent reports of its servers, the last of two about one", () => {
  const report: BackendReport = { problem: "", servers: [server({ ready: false }), server()] };
  expect(checkBackend(report)).toEqual({ problem: "", servers: [server()] });
  expect(checkBackend(null)).toBeNull();
});

it("leaves out what no column can hold", () => {
  const long = "x".repeat(10_000);
  const checked = checkBackend({ problem: "a\0b", servers: [server({ message: `${long}\0`, companion: long })] });
  expect(checked?.problem).not.toContain("\0");
  expect(checked?.servers[0]?.companion).toBe("");
  expect(checked?.servers[0]?.message.length).toBeLessThan(long.length);
});

it.each(["", "web-1:7446", "10.8.0.1", "10.8.0.1:0", "127.0.0.1:7446", "[fe80::1%eth0]:7446"])(
  "takes no connections at the address %j, which balancers would reject",
  (companion) => {
    const [checked] = checkBackend({ problem: "", servers: [server({ companion })] })?.servers ?? [];
    expect(checked).toMatchObject({ ready: false, companion: "" });
    expect(checked?.message).toContain("Balancers can't send to the address");
  },
);

it.each([
  [7, 7],
  [-1, 0],
  [1.5, 0],
  [2 ** 31, 0],
  [Number.NaN, 0],
])("stores the revision %d of ticket keys as %d", (ticketRevision, want) => {
  const checked = checkBackend({ problem: "", servers: [server({ ticketRevision, ticketProblem: "No\0 folder." })] });
  expect(checked?.servers[0]).toMatchObject({ ticketRevision: want, ticketProblem: "No folder." });
});

it("refuses more servers than a node can have", () => {
  const servers = Array.from({ length: 10_001 }, (_, i) => server({ backendId: `bak_${i}` }));
  expect(() => checkBackend({ problem: "", servers })).toThrow("An agent may report 10000 servers");
});
