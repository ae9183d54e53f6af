export { createTestCluster, createTestExposure, testWish } from "./exposure.ts";
export { createTestOrganization } from "./organization.ts";
