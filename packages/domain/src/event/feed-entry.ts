import { z } from "zod";
import { subjectKind } from "./subject.ts";

/** An entry of the live stream: this object changed, fetch it again. */
export const feedEntry = z
  .object({ subjectKind, subjectId: z.string(), clusterId: z.string().nullable() })
  .meta({ id: "FeedEntry" });
export type FeedEntry = z.infer<typeof feedEntry>;
