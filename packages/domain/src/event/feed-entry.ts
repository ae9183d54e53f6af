import { z } from "zod";
import { subjectKind } from "./subject.ts";

/** A pointer: this object changed, look again. What the live stream carries. */
export const feedEntry = z
  .object({ subjectKind, subjectId: z.string(), clusterId: z.string().nullable() })
  .meta({ id: "FeedEntry" });
export type FeedEntry = z.infer<typeof feedEntry>;
