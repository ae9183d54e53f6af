/** saveFile lets the user save content that the page created. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after this function returns.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function saveCsv(name: string, content: string): void {
  saveFile(name, new Blob([content], { type: "text/csv;charset=utf-8" }));
}
