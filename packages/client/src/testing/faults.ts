import { type Edge, problem } from "./edge.ts";
import { aMap } from "./maps.ts";

/** What a control plane may do instead of answering. */
export const faultsByName: Record<string, Edge["faults"][number]> = {
  "hangs in the middle": (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"exposureId":');
  },
  "cuts its JSON": (_, response) => {
    const text = JSON.stringify(aMap(9));
    response.writeHead(200, { "content-type": "application/json", "content-length": text.length });
    response.write(text.slice(0, 40), () => response.destroy());
  },
  "answers 500": (_, response) => problem(response, 500, "Something broke on our side."),
  "answers HTML": (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>Sign in</p>"),
  closes: (_, response) => void response.destroy(),
  "is no map": (_, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end('{"entries":[null]}'),
};
