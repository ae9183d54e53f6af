const address = /(https?:\/\/[^\s,)]+[^\s,).:;])/;

/** A sentence with links to its sources. */
export function Linked({ text }: { text: string }) {
  const [before = "", url, ...after] = text.split(address);
  if (!url) return before;
  return (
    <>
      {before}
      <a
        href={url}
        className="underline underline-offset-2 hover:text-accent"
        rel="noreferrer noopener"
        target="_blank"
      >
        {hostOf(url)}
      </a>
      <Linked text={after.join("")} />
    </>
  );
}

function hostOf(url: string): string {
  return new URL(url).host.replace(/^www\./, "");
}
