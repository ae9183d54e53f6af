import { viewSource } from "@fairlead/db";
import { enrollmentToken } from "@fairlead/domain/cluster";

export const enrollmentTokenSource = viewSource("enrollment_token_view", enrollmentToken);
