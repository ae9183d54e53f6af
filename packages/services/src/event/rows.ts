import { viewSource } from "@fairlead/db";
import { event } from "@fairlead/domain/event";

export const eventSource = viewSource("event_view", event);
