import { viewSource } from "@fairlead/db";
import { member } from "@fairlead/domain/access";

export const memberSource = viewSource("member_view", member);
