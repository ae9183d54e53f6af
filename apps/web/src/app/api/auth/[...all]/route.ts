import { handleAuth } from "@/server/auth/handle-auth.ts";
import { auth } from "@/server/auth.ts";

const handle = (request: Request) => handleAuth(auth(), request);

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT };
