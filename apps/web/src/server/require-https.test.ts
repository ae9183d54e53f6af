import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { requireHttps } from "./require-https.ts";

it.each([
  ["https://fairlead.example.com", "max-age=31536000"],
  ["http://127.0.0.1:3000", null],
])("with the public URL %s, every response has Strict-Transport-Security: %s", async (url, header) => {
  const undo = requireHttps(url);
  const server = createServer((request, response) => response.writeHead(request.url === "/" ? 200 : 404).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    for (const path of ["/", "/missing"]) {
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
      expect(response.headers.get("strict-transport-security")).toBe(header);
    }
  } finally {
    undo();
    server.closeAllConnections();
    server.close();
  }
});
