import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { FleetFlowState } from "./fleet-flow.tsx";

const render = (error: unknown) =>
  renderToStaticMarkup(
    <FleetFlowState query={{ data: undefined, error, isFetching: false, refetch: () => undefined }} />,
  );

it("shows that the flow can't be loaded, with a button that repeats it", () => {
  const html = render(new Error("no connection"));
  expect(html).toContain("Could not load: Flow");
  expect(html).toContain("<button");
});

it("is empty while it loads", () => {
  expect(render(null)).toBe("");
});
