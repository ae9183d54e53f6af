/** Refusal is a reason not to go on that the reader can cure. It is shown as the one sentence it is. */
export class Refusal extends Error {
  override name = "Refusal";
}
