import { answerTrpc } from "@/server/trpc.ts";

export const dynamic = "force-dynamic";

export { answerTrpc as GET, answerTrpc as POST };
