import { rest } from "@/server/rest.ts";

export const dynamic = "force-dynamic";

export { rest as DELETE, rest as GET, rest as HEAD, rest as OPTIONS, rest as PATCH, rest as POST, rest as PUT };
