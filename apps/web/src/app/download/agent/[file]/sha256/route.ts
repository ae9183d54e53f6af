import { answerChecksum } from "@/server/download/answer-download.ts";

export const dynamic = "force-dynamic";

export async function GET(_: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  return answerChecksum((await params).file);
}
