import type { AnswerState, RoutingTableAnswer } from "@fairlead/domain";
import type { StatusLook } from "@/components/ui/status.ts";
import { StatusBadge } from "@/components/ui/status-badge.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";
import { countOf } from "@/components/words/numbers.ts";

const answerLooks: Record<AnswerState, StatusLook> = {
  answered: { word: "Answered", shape: "disc", tone: "good" },
  refused: { word: "Can’t tell", shape: "triangle", tone: "warn" },
  unanswered: { word: "No answer", shape: "square", tone: "bad" },
  silent: { word: "Silent", shape: "dash", tone: "silent" },
};

/** Who was asked, and how much of what there is it told, or why it told nothing. */
export function AnswerHead(props: { answer: RoutingTableAnswer; told: number; verb: "knows" | "has" }) {
  const { answer, told, verb } = props;
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
          : `${countOf(told, "route")}${told === known ? "" : ` of the ${countOf(known, "route")} it ${verb}`}`}
      </span>
    </p>
  );
}
