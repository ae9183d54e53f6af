import { z } from "zod";
import { objectName, selector } from "../object-name.ts";

export const workload = z
  .strictObject({
    namespace: objectName.default("default"),
    kind: z.enum(["stateful-set", "deployment", "daemon-set", "selector"]),
    name: objectName.optional().describe("The name of the workload. Required, except for a selector."),
    selector: selector.optional().describe("Labels of the pods. Required for a selector."),
  })
  .superRefine((value, ctx) => {
    const bySelector = value.kind === "selector";
    if (bySelector && !value.selector)
      ctx.addIssue({ code: "custom", path: ["selector"], message: "a selector needs at least one label" });
    if (!bySelector && !value.name)
      ctx.addIssue({ code: "custom", path: ["name"], message: `enter the name of the ${value.kind} to expose` });
  })
  .meta({ id: "Workload" });
export type Workload = z.infer<typeof workload>;
