import { createServer, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "@fairlead/drivers/kubernetes-testing";
import type { Visit } from "./visitor.ts";

// A client in a pod. It visits an address again and again, each time with a connection of its own, and serves what it saw.

const answersWithinMs = 10_000;

type Round = { isOver: boolean; visits: Visit[]; done: Promise<void> };
let round: Round | null = null;

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://visitor");
  obey(pathname, searchParams).then(
    (visits) => response.end(JSON.stringify(visits)),
    (error: unknown) => response.writeHead(400).end(String(error)),
  );
}).listen(Number(process.argv[2]));

async function obey(order: string, given: URLSearchParams): Promise<Visit[]> {
  if (order === "/begin") {
    await end();
    round = begin(`http://${given.get("address")}`, Number(given.get("everyMs")));
    return [];
  }
  if (!round) throw new Error("no round has begun");
  if (order === "/end") await end();
  return round.visits;
}

function begin(url: string, everyMs: number): Round {
  const begun: Round = { isOver: false, visits: [], done: Promise.resolve() };
  const go = async () => {
    while (!begun.isOver) {
      begun.visits.push(await visit(url));
      await sleep(everyMs);
    }
  };
  begun.done = go();
  return begun;
}

async function end(): Promise<void> {
  if (!round) return;
  round.isOver = true;
  await round.done;
}

function visit(url: string): Promise<Visit> {
  const at = Date.now();
  return new Promise((resolve) => {
    const fail = (error: string) => resolve({ at, instance: "", client: "", error });
    const signal = AbortSignal.timeout(answersWithinMs);
    const request = get(url, { agent: false, signal }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.once("end", () => {
        const { instance, client } = JSON.parse(text) as Answer;
        resolve({ at, instance, client: client.replace(/:\d+$/, ""), error: "" });
      });
      response.once("error", (error) => fail(error.message));
    });
    request.once("error", (error) => fail(signal.aborted ? `no answer within ${answersWithinMs} ms` : error.message));
  });
}
