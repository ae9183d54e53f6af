export type LineStyle = { colour: string; dash: string };

/** Six colours that are distinct with any colour vision, each with its own dash pattern as a second cue. */
const styles: readonly LineStyle[] = [
  { colour: "#0072B2", dash: "" },
  { colour: "#E69F00", dash: "7 3" },
  { colour: "#009E73", dash: "2 2.5" },
  { colour: "#CC79A7", dash: "9 3 2 3" },
  { colour: "#56B4E9", dash: "4 2" },
  { colour: "#D55E00", dash: "12 3" },
];

/** The seventh line has the first colour and the second dash pattern, and so on: 36 combinations before one repeats. */
export function lineStyle(index: number): LineStyle {
  const colour = styles[index % styles.length];
  const dash = styles[(index + Math.floor(index / styles.length)) % styles.length];
  return { colour: colour?.colour ?? "", dash: dash?.dash ?? "" };
}
