import type { Language } from "#app/_ui/code-block.tsx";

interface SampledCall {
  readonly method: string;
  /** Full URL with example path values. */
  readonly url: string;
  /** Example JSON; omitted for GET, because most clients cannot send a body with it. */
  readonly body: string | undefined;
  readonly idempotent?: boolean | undefined;
  readonly answers: boolean;
}

interface Sample {
  readonly label: string;
  readonly language: Language;
  readonly code: string;
}

export type EndpointSamples = readonly [Sample, Sample, Sample];

export const endpointSamples = (subject: SampledCall): EndpointSamples => {
  const sent = { ...subject, body: subject.method === "GET" ? undefined : subject.body };
  return [
    { label: "curl", language: "shell", code: curl(sent) },
    { label: "TypeScript", language: "typescript", code: typescript(sent) },
    { label: "Python", language: "python", code: python(sent) },
  ];
};

function curl({ method, url, body, idempotent }: SampledCall): string {
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"${url}"`,
    `-H "Authorization: Bearer $ACCESS_TOKEN"`,
  ];
  if (idempotent) lines.push(`-H "Idempotency-Key: $(uuidgen)"`);
  if (body)
    lines.push(`-H "Content-Type: application/json"`, `-d '${body.replaceAll("'", "'\\''")}'`);
  return lines.join(" \\\n  ");
}

function typescript({ method, url, body, idempotent, answers }: SampledCall): string {
  const headers = [
    `Authorization: \`Bearer \${accessToken}\``,
    ...(idempotent ? [`"Idempotency-Key": crypto.randomUUID()`] : []),
    ...(body ? [`"Content-Type": "application/json"`] : []),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length < 3
      ? [`  headers: { ${headers.join(", ")} },`]
      : [`  headers: {`, ...headers.map((header) => `    ${header},`), `  },`]),
    ...(body ? [`  body: JSON.stringify(${body.replaceAll("\n", "\n  ")}),`] : []),
  ];
  const call = `const response = await fetch("${url}", {\n${options.join("\n")}\n});`;
  return answers
    ? `${call}\nconst answer = await response.json();`
    : `${call}\n// 204 has no body; an error says in JSON what is wrong.\nif (!response.ok) console.error(await response.json());`;
}

function python({ method, url, body, idempotent, answers }: SampledCall): string {
  const headers = [`"Authorization": f"Bearer {access_token}"`];
  if (idempotent) headers.push(`"Idempotency-Key": str(uuid.uuid4())`);
  const lines = [`    "${url}",`, `    headers={${headers.join(", ")}},`];
  if (body) lines.push(`    json=${pythonic(body).replaceAll("\n", "\n    ")},`);
  const imports = idempotent ? "import uuid\n\nimport requests" : "import requests";
  const call = (name: string) =>
    `${imports}\n\n${name} = requests.${method.toLowerCase()}(\n${lines.join("\n")}\n    timeout=10,\n)`;
  return answers
    ? `${call("answer")}.json()`
    : `${call("response")}\nresponse.raise_for_status()  # 204 has no body`;
}

const pythonWords: Readonly<Record<string, string>> = {
  null: "None",
  true: "True",
  false: "False",
};

/** Matches whole strings, so that words inside them stay. */
const pythonic = (json: string) =>
  json.replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(?:null|true|false)\b/g,
    (part) => pythonWords[part] ?? part,
  );
