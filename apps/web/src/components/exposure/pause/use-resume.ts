import { useState } from "react";
import { useTRPCClient } from "@/trpc/client.tsx";
import { resumeAsSeen } from "./resume-as-seen.ts";

/** useResume resumes exposures as the user saw them: see resumeAsSeen(). */
export function useResume() {
  const { exposure } = useTRPCClient();
  const [resume] = useState(() =>
    resumeAsSeen({ resume: (input) => exposure.resume.mutate(input), get: (input) => exposure.get.query(input) }),
  );
  return resume;
}
