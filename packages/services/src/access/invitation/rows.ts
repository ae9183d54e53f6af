import { viewSource } from "@fairlead/db";
import { invitation } from "@fairlead/domain/access";

export const invitationSource = viewSource("invitation_view", invitation);
