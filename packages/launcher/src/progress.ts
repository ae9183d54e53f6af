/** step prints the title of a step, its elapsed time while it is slow, and its duration. */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const began = Date.now();
  console.log(`• ${title}`);
  const beat = setInterval(() => console.log(`  … ${seconds(began)} s`), 15_000);
  try {
    const result = await work();
    if (Date.now() - began > 2_000) console.log(`  done in ${seconds(began)} s`);
    return result;
  } finally {
    clearInterval(beat);
  }
}

function seconds(began: number): number {
  return Math.round((Date.now() - began) / 1_000);
}
