export { createTestKey, type TestKey } from "./certificate-request.ts";
export { createTestRouting, type TestRouting } from "./experiment.ts";
export { createTestCluster, createTestExposure, testWish } from "./exposure.ts";
export { createTestNode, type TestNode } from "./node.ts";
export type { Noun } from "./noun.ts";
export { nouns } from "./nouns.ts";
export { createTestOrganization } from "./organization.ts";
export { createTestPerson } from "./person.ts";
export { insertTestSamples, type TestSeries } from "./samples.ts";
