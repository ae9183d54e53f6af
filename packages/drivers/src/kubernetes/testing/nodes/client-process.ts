import { createSocket } from "node:dgram";
import { get } from "node:http";
import type { Question } from "./client.ts";
import { obey } from "./talk.ts";

// The client, alone in its network. It sends the requests that the test orders.

obey<Question>((question) => (question.protocol === "tcp" ? byHttp(question) : byDatagram(question)));

/** Each request has its own connection, because a connection's backend is chosen when it is opened. */
function byHttp({ address: host, port, withinMs }: Question): Promise<string> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(withinMs);
    const request = get({ host, port, agent: false, signal }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.once("end", () => resolve(text)).once("error", reject);
    });
    request.once("error", (error) => reject(signal.aborted ? new Error(`no answer within ${withinMs} ms`) : error));
  });
}

function byDatagram({ address, port, withinMs }: Question): Promise<string> {
  const socket = createSocket("udp4");
  return new Promise<string>((resolve, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${withinMs} ms`)), withinMs);
    socket.once("message", (message) => resolve(message.toString())).once("error", reject);
    socket.send("who?", port, address, (error) => error && reject(error));
  }).finally(() => socket.close());
}
