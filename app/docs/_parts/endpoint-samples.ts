import type { Language } from "../../_ui/highlight";

interface Subject {
  readonly method: string;
  /** The full address, with example values in its path. */
  readonly url: string;
  /** An example of the JSON body, as text. */
  readonly body: string | undefined;
}

/** The same call in three languages. */
export const endpointSamples = (
  subject: Subject,
): { readonly label: string; readonly language: Language; readonly code: string }[] => [
  { label: "curl", language: "shell", code: curl(subject) },
  { label: "TypeScript", language: "typescript", code: typescript(subject) },
  { label: "Python", language: "python", code: python(subject) },
];

function curl({ method, url, body }: Subject): string {
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}"${url}"`, `-H "Authorization: Bearer $ACCESS_TOKEN"`];
  if (body) lines.push(`-H "Content-Type: application/json"`, `-d '${body.replaceAll("'", "'\\''")}'`);
  return lines.join(" \\\n  ");
}

function typescript({ method, url, body }: Subject): string {
  const headers = [
    `Authorization: \`Bearer \${accessToken}\``,
    ...(body ? [`"Content-Type": "application/json"`] : []),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    `  headers: { ${headers.join(", ")} },`,
    ...(body ? [`  body: JSON.stringify(${body.replaceAll("\n", "\n  ")}),`] : []),
  ];
  return `const response = await fetch("${url}", {\n${options.join("\n")}\n});\nconst answer = await response.json();`;
}

function python({ method, url, body }: Subject): string {
  const lines = [`    "${url}",`, `    headers={"Authorization": f"Bearer {access_token}"},`];
  if (body) lines.push(`    json=${pythonic(body).replaceAll("\n", "\n    ")},`);
  return `import requests\n\nanswer = requests.${method.toLowerCase()}(\n${lines.join("\n")}\n    timeout=10,\n).json()`;
}

const pythonic = (json: string) =>
  json
    .replaceAll(/\bnull\b/g, "None")
    .replaceAll(/\btrue\b/g, "True")
    .replaceAll(/\bfalse\b/g, "False");
