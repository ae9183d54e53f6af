export { createTestKey, type TestKey } from "./certificate-request.ts";
export { createTestRouting, type TestRouting } from "./experiment.ts";
export { createTestCluster, createTestExposure, testSpec } from "./exposure.ts";
export { createTestNode, type TestNode } from "./node.ts";
export type { Noun } from "./noun.ts";
export { nouns } from "./nouns.ts";
export { createTestOrganization } from "./organization.ts";
export { insertTestSamples, type TestSeries } from "./samples.ts";
export { createTestUser } from "./user.ts";
