import type { AnswerState, RoutingTableAnswer } from "@fairlead/domain/routing";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import type { StatusLook } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { countOf } from "@/components/words/numbers.ts";

const answerLooks: Record<AnswerState, StatusLook> = {
  answered: { word: "Answered", shape: "disc", tone: "good" },
  refused: { word: "Unavailable", shape: "triangle", tone: "warn" },
  unanswered: { word: "No response", shape: "square", tone: "bad" },
  silent: { word: "Silent", shape: "dash", tone: "silent" },
};

/** Which agent responded, how much of its data it returned, and why not all. */
export function AnswerHead({ answer, count }: { answer: RoutingTableAnswer; count: number }) {
  const { nodeId, nodeName, role, state, message, known } = answer;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span>
        <TextLink href={`/nodes/${nodeId}`} className="font-medium">
          {nodeName}
        </TextLink>{" "}
        <span className="text-muted text-xs">{role}</span>
      </span>
      <StatusBadge status={answerLooks[state]} />
      <span className="text-muted">
        {known === null
          ? message
          : count === known
            ? countOf(count, "route")
            : `${count} of ${countOf(known, "route")}`}
      </span>
    </p>
  );
}
