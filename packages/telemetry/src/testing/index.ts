export { findPageProblems } from "./find-page-problems.ts";
