import { createSocket } from "node:dgram";
import { get } from "node:http";
import type { Question } from "./client.ts";
import { obey } from "./talk.ts";

// The client, in a network where there is nothing but it: it asks what it is told to ask.

obey<Question>((question) => (question.protocol === "tcp" ? byHttp(question) : byDatagram(question)));

/** Each time by a connection of its own: where one leads is decided when it begins. */
function byHttp({ address: host, port, withinMs }: Question): Promise<string> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(withinMs);
    const asked = get({ host, port, agent: false, signal }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.once("end", () => resolve(text)).once("error", reject);
    });
    asked.once("error", (error) => reject(signal.aborted ? new Error(`no answer within ${withinMs} ms`) : error));
  });
}

function byDatagram({ address, port, withinMs }: Question): Promise<string> {
  const socket = createSocket("udp4");
  return new Promise<string>((resolve, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${withinMs} ms`)), withinMs);
    socket.once("message", (said) => resolve(said.toString())).once("error", reject);
    socket.send("who?", port, address, (error) => error && reject(error));
  }).finally(() => socket.close());
}
