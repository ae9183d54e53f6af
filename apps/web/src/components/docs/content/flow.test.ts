import { expect, it } from "vitest";
import { parseFlow } from "./flow.ts";

it("reads nodes, chains, texts, the three kinds of arrows, and groups", () => {
  const text = `flowchart LR
  subgraph host [each host]
    B[balancer] --- S["a speaker"]
  end
  S -- BGP --> R[router] --> B
  R -. moves .-> host`;
  expect(parseFlow(text)).toEqual({
    edges: [
      { from: "balancer", to: "a speaker", text: "", isDirected: false },
      { from: "a speaker", to: "router", text: "BGP", isDirected: true },
      { from: "router", to: "balancer", text: "", isDirected: true },
      { from: "router", to: "each host", text: "moves", isDirected: true },
    ],
    groups: [{ title: "each host", members: ["balancer", "a speaker"] }],
  });
});

it.each(["sequenceDiagram\n  A->>B: hello", "flowchart LR\n  A ==> B", "flowchart LR\n  A{choice} --> B", ""])(
  "does not guess: %j",
  (text) => {
    expect(parseFlow(text)).toBeNull();
  },
);
