/** What becomes of connections to an instance that was removed, after its drain time. */
export const removedInstanceWords = {
  last: { title: "Last", summary: "They last until a side closes them." },
  end: {
    title: "End",
    summary:
      "The agent at the client's node ends them after the drain time, so that clients connect to another instance.",
  },
} as const;
