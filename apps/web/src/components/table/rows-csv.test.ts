import { expect, it } from "vitest";
import { rowsCsv } from "./rows-csv.ts";

it("writes the fields of all rows, those of objects with their path", () => {
  const rows = [
    { id: "node_1", at: new Date("2026-11-20T12:00:00Z"), labels: { team: "a" }, roles: ["node", "router"], load: 0.5 },
    { id: "node_2", at: null, labels: { zone: "x, y" }, roles: [], load: 2, agents: [{ id: "agt_1" }], isUp: true },
  ];
  expect(rowsCsv(rows).split("\r\n")).toEqual([
    "id,at,labels.team,roles,load,labels.zone,agents,isUp",
    "node_1,2026-11-20T12:00:00.000Z,a,node; router,0.5,,,",
    'node_2,,,,2,"x, y","[{""id"":""agt_1""}]",true',
    "",
  ]);
});

it("escapes what a spreadsheet would run", () => {
  expect(rowsCsv([{ name: "=1+1" }])).toBe("name\r\n'=1+1\r\n");
});
