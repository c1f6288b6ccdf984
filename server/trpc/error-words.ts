/**
 * What the log may know of something thrown: its name and message, and those of its causes, without the parameters that
 * a failed query appends to its message.
 */
export function errorWords(thrown: unknown): string {
  const words: string[] = [];
  let error = thrown;
  for (let depth = 0; depth < 3 && error instanceof Error; depth++) {
    words.push(`${error.name}: ${error.message.split("\nparams:", 1)[0]}`);
    error = error.cause;
  }
  return words.length > 0 ? words.join(" ← ") : String(thrown);
}
