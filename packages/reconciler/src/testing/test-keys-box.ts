import { sessionKeysBox } from "@fairlead/services";

/** testKeysBox seals the session keys of test clusters. */
export const testKeysBox = sessionKeysBox("only-for-tests-".repeat(3));
