export { createEnrollmentToken } from "./create.ts";
export { deleteEnrollmentToken } from "./delete.ts";
export { listEnrollmentTokens } from "./list.ts";
