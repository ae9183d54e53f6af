import { expect, it } from "vitest";
import { parseArguments } from "./arguments.ts";

const known = ["churn", "cost", "returns"];
const parsed = (line: string) => parseArguments(line.split(" ").filter(Boolean), known);

it.each([
  ["cost", { name: "cost", form: "full" }],
  ["cost --quick", { name: "cost", form: "quick" }],
  ["cost --smoke", { name: "cost", form: "smoke" }],
  ["--smoke", { name: "all", form: "smoke" }],
  ["all --smoke", { name: "all", form: "smoke" }],
  ["churn --rounds 3 --loss 0.5", { name: "churn", form: "full", rounds: 3, loss: 0.5 }],
  ["returns --cases 13-24", { name: "returns", form: "full", cases: { from: 13, to: 24 } }],
])("reads %s", (line, want) => {
  expect(parsed(line)).toEqual(want);
});

it.each([
  ["cost --quick --smoke", /use --quick to measure in fewer rounds, or --smoke to check/],
  ["", /use one of churn, cost, returns/],
  ["speed", /No benchmark is named speed: use one of churn, cost, returns/],
  ["all", /add --smoke, or name one/],
  ["all --quick", /add --smoke, or name one/],
  ["cost churn", /Name one benchmark, not 2/],
  ["cost --fast", /--fast/],
  ["cost --rounds 0", /use a whole number from 1/],
  ["cost --rounds some", /use a whole number from 1/],
  ["cost --loss 1", /--loss is for churn only/],
  ["churn --cases 1-2", /--cases is for returns only/],
  ["returns --cases 0-2", /such as returns --cases 1-12/],
  ["returns --cases 3-2", /such as returns --cases 1-12/],
  ["returns --cases 3", /such as returns --cases 1-12/],
  ["returns --smoke --cases 1-2", /omit --cases, or omit --smoke/],
  ["churn --loss no", /--loss is for churn only/],
  ["churn --smoke --rounds 2", /omit --rounds and --loss, or omit --smoke/],
  ["churn --smoke --loss 1", /omit --rounds and --loss, or omit --smoke/],
])("rejects %j and describes the fix", (line, fix) => {
  expect(parsed(line)).toEqual({ error: expect.stringMatching(fix) });
});
