/** An endpoint as the playground offers it. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** As OpenAPI writes it: `/api/v1/user/{user_id}`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly parameters: readonly OperationParameter[];
  /** An example of its JSON body, as text; undefined where it takes none. */
  readonly body: string | undefined;
}

export interface OperationParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly example: string;
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly { readonly oauth?: readonly string[] }[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: OperationParameter["in"];
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: { readonly examples?: readonly unknown[]; readonly default?: unknown };
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

/** Every endpoint that the OpenAPI document names, in its order. */
export const operationsOf = (document: OpenApiDocument): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      title: operation.summary,
      description: operation.description?.split("\n\n")[0] ?? "",
      scopes: operation.security?.find(({ oauth }) => oauth)?.oauth ?? [],
      parameters: (operation.parameters ?? []).map(({ name, required = false, description = "", schema, ...rest }) => ({
        name,
        in: rest.in,
        required,
        description,
        example: String(schema?.examples?.[0] ?? schema?.default ?? ""),
      })),
      body: bodyOf(operation),
    })),
  );

function bodyOf({ requestBody }: OpenApiOperation): string | undefined {
  if (!requestBody) return undefined;
  return JSON.stringify(requestBody.content["application/json"]?.example ?? {}, null, 2);
}

/** The address of a call: values in their places, empty query parameters left out. */
export function addressOf({ path, parameters }: Operation, values: Readonly<Record<string, string>>): string {
  const filled = path.replace(/\{([a-z_]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const query = new URLSearchParams();
  for (const { name, in: where } of parameters) if (where === "query" && values[name]) query.set(name, values[name]);
  return query.size === 0 ? filled : `${filled}?${query}`;
}

/** The headers that a call brings besides its token. */
export const headersOf = (
  { parameters }: Operation,
  values: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    parameters.flatMap(({ name, in: where }) => (where === "header" && values[name] ? [[name, values[name]]] : [])),
  );
