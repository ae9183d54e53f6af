export { createTestOrganization } from "./organization.ts";
