import { z } from "zod";
import { port } from "../address/address.ts";
import { objectName } from "../object-name.ts";

export const protocol = z.enum(["tcp", "udp"]);
export type Protocol = z.infer<typeof protocol>;

export const exposedPort = z
  .strictObject({
    name: objectName.optional(),
    port,
    targetPort: port.optional().describe("The port on which the workload listens. Default: port."),
    protocol: protocol.default("tcp"),
  })
  .meta({ id: "ExposedPort" });
export type ExposedPort = z.infer<typeof exposedPort>;
