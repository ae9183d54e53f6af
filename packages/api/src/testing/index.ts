export { createTestApi, type TestApi } from "./test-api.ts";
