import { holdRequests } from "./server/hold-requests.ts";

// Node runs this before Next.js (--import).
holdRequests();
