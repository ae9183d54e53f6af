import { expect, test } from "vitest";
import { paths } from "./paths.ts";

const at = { subjectId: "exp_a", clusterId: "clu_a" };

test("an action opens the tab of the page where the problem is explained or fixed", () => {
  expect(paths.exposureSessions(at)).toBe("/exposures/exp_a?tab=sessions");
  expect(paths.exposureConnections(at)).toBe("/exposures/exp_a?tab=connections");
  expect(paths.exposureConditions(at)).toBe("/exposures/exp_a?tab=events");
  expect(paths.exposureBackends(at)).toBe("/exposures/exp_a?tab=backends");
  expect(paths.cloneExposure(at)).toBe("/exposures/new?from=exp_a");
  expect(paths.silentNodes(at)).toBe("/nodes?state=silent,never-seen&cluster=clu_a");
  expect(paths.kubernetes(at)).toBe("/clusters/clu_a?tab=kubernetes#kubernetes");
  expect(paths.cloudRoute(at)).toBe("/clusters/clu_a?tab=cloud#cloud-route");
  expect(paths.tokens(at)).toBe("/clusters/clu_a?tab=nodes#tokens");
});
