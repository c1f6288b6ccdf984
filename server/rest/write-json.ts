/**
 * Writes a wire value as JSON. Integers beyond 2^53 are bigints here and keep all their digits, which `JSON.stringify`
 * refuses. Fields that are undefined are left out. Values come from a parsed schema, so there are no other kinds.
 * @throws on what JSON cannot say (NaN, functions), so that it never reaches a client as something else
 */
export function writeJson(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      if (!Number.isFinite(value)) throw new TypeError("A number that is not finite cannot be written as JSON.");
      return String(value);
    case "bigint":
      return value.toString();
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? writeArray(value) : writeObject(value);
    default:
      throw new TypeError(`A ${typeof value} cannot be written as JSON.`);
  }
}

function writeArray(values: readonly unknown[]): string {
  let text = "[";
  for (let at = 0; at < values.length; at++) text += (at === 0 ? "" : ",") + writeJson(values[at]);
  return `${text}]`;
}

function writeObject(record: object): string {
  let text = "{";
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue;
    text += `${text.length === 1 ? "" : ","}${JSON.stringify(name)}:${writeJson(value)}`;
  }
  return `${text}}`;
}
