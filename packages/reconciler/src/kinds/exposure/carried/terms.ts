import type { BackendTimes } from "@fairlead/domain/load-balancer";
import type { SecretBox } from "@fairlead/services";
import type { Outside } from "./look-outside.ts";

/** times are those of backends; presentForMs is how long agents could have reached us. */
export type Terms = {
  now: Date;
  times: BackendTimes;
  presentForMs: number;
  outside: Outside;
  /** Seals the secrets of managed ticket keys. */
  keysBox: SecretBox;
};
