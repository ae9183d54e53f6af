import { viewSource } from "@fairlead/db";
import { instance } from "@fairlead/domain/instance";

export const instanceSource = viewSource("instance_view", instance);
