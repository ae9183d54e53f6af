import type { NoBalancer } from "@fairlead/domain/cost";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { NoBalancerCard } from "./no-balancer-card.tsx";

const weighed = (losses: number): NoBalancer => ({
  ...{ fits: null, grade: "unknown", requiredMbps: 25, limitMbps: null, reasons: ["The capacity is not set."] },
  losses: Array.from({ length: losses }, (_, i) => `Loss ${i}.`),
});
const render = (losses: number) =>
  renderToStaticMarkup(<NoBalancerCard weighed={weighed(losses)} setParams={() => {}} />);

it("has at most five points, and the others on request", () => {
  expect(render(4).match(/<li/g)).toHaveLength(5);
  expect(render(4)).not.toContain(" more<");
  expect(render(6).match(/<li/g)).toHaveLength(5);
  expect(render(6)).toContain("2 more<");
});
