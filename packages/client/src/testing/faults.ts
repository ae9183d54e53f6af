import { type Edge, problem } from "./edge.ts";
import { aMap } from "./maps.ts";

/** Faulty responses of a control plane. */
export const faultsByName: Record<string, Edge["faults"][number]> = {
  "stalls mid-response": (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"exposureId":');
  },
  "truncates its JSON": (_, response) => {
    const text = JSON.stringify(aMap(9));
    response.writeHead(200, { "content-type": "application/json", "content-length": text.length });
    response.write(text.slice(0, 40), () => response.destroy());
  },
  "returns 500": (_, response) => problem(response, 500, "Something broke on our side."),
  "returns HTML": (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>Sign in</p>"),
  "closes the connection": (_, response) => void response.destroy(),
  "returns an invalid map": (_, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end('{"entries":[null]}'),
};
