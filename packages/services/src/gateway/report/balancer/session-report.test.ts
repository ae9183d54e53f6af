import { expect, it } from "vitest";
import { checkSession, joinSessions, type WireSession } from "./session-report.ts";

const seen = new Date(0);
const now = new Date(1_000_000);
const session = (fields: Partial<WireSession> = {}): WireSession => ({
  problem: "",
  fallback: "",
  address: "10.9.0.1:7447",
  ticketRevision: 3,
  backends: [
    { id: "bak_1", tickets: "stable", message: "", names: [{ name: "00ff", since: seen, seen }], takes: true },
  ],
  ...fields,
});
const backend = (fields: Partial<WireSession["backends"][number]>) => ({
  ...{ id: "bak_1", tickets: "", message: "", names: [], takes: false },
  ...fields,
});

it.each([
  ["", "unknown"],
  ["stable", "stable"],
  ["random", "random"],
  ["no tickets", "none"],
  ["failed", "failed"],
  ["of a newer agent", "unknown"],
])("reads the kind of tickets %j as %s", (tickets, want) => {
  expect(checkSession(session({ backends: [backend({ tickets })] }), now).backends[0]?.tickets).toBe(want);
});

it("leaves out names that are none, and those that are too many", () => {
  const name = (text: string) => ({ name: text, since: null, seen: null });
  const many = Array.from({ length: 100 }, (_, i) => name(i.toString(16).padStart(2, "0")));
  const names = (of: typeof many) =>
    checkSession(session({ backends: [backend({ names: of })] }), now).backends[0]?.names;
  expect(names([name("xyz"), name(""), name("ab".repeat(100)), name("0a")])).toEqual([name("0a")]);
  expect(names(many)).toEqual(many.slice(0, 32));
});

it.each([
  ["", "", null],
  ["No agent.", "proxy", "proxy"],
  ["No agent.", "plain", "plain"],
  ["No agent.", "", "plain"],
  ["No agent.", "of a newer agent", "plain"],
] as const)("reads the fallback of the problem %j with %j as %s", (problem, fallback, want) => {
  expect(checkSession(session({ problem, fallback }), now).fallback).toBe(want);
});

it("has the last fallback that any port uses", () => {
  const ports = ["proxy", "plain"].map((fallback) => checkSession(session({ problem: "No agent.", fallback }), now));
  expect(joinSessions(ports)?.fallback).toBe("plain");
});

it("is a problem of all ports if it is one of any", () => {
  const other = session({ problem: "No kernel.", address: "", backends: [backend({ id: "bak_2" })] });
  const joined = joinSessions([session(), other].map((each) => checkSession(each, now)));
  expect(joined).toMatchObject({ problem: "No kernel.", address: "10.9.0.1:7447" });
  expect(joined?.backends.map((each) => each.id)).toEqual(["bak_1", "bak_2"]);
  expect(joinSessions([])).toBeNull();
});

it("has the names that all ports have", () => {
  const joined = joinSessions([session(), session({ ticketRevision: 2 })].map((each) => checkSession(each, now)));
  expect(joined?.ticketRevision).toBe(2);
  expect(checkSession(session({ ticketRevision: 2 ** 40 }), now).ticketRevision).toBe(0);
});

it("lets no name be seen later than its report, and none at an invalid time", () => {
  const names = [
    { name: "0a", since: new Date(8.64e15), seen: new Date(2_000_000) },
    { name: "0b", since: new Date(Number.NaN), seen },
  ];
  expect(checkSession(session({ backends: [backend({ names })] }), now).backends[0]?.names).toEqual([
    { name: "0a", since: now, seen: now },
    { name: "0b", since: null, seen },
  ]);
});

it.each(["replica:7447", "0.0.0.0:7447", "10.9.0.1"])("omits the address %j, which agents would reject", (address) => {
  expect(checkSession(session({ address }), now).address).toBe("");
});
