import type { Metadata } from "next";
import { YouPage } from "@/components/settings/you-page.tsx";

export const metadata: Metadata = { title: "Settings" };

export default function Page() {
  return <YouPage />;
}
