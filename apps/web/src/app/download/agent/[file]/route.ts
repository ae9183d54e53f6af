import { answerDownload } from "@/server/download/answer-download.ts";

export const dynamic = "force-dynamic";

type Params = { params: Promise<{ file: string }> };

export async function GET(request: Request, { params }: Params): Promise<Response> {
  return answerDownload(request, (await params).file);
}

export async function HEAD(request: Request, { params }: Params): Promise<Response> {
  return answerDownload(request, (await params).file);
}
