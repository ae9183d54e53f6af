import type { NextRequest } from "next/server";
import { searchDocs } from "@/components/docs/search-docs.ts";
import { docs } from "@/server/docs.ts";

const most = 8;

/** The sections that match a search, for the command palette. */
export async function GET(request: NextRequest): Promise<Response> {
  const hits = searchDocs(await docs(), request.nextUrl.searchParams.get("q") ?? "", most);
  return Response.json({ hits }, { headers: { "cache-control": "private, max-age=60" } });
}
