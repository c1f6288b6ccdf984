import { parseScopeList } from "../scope-list";
import type { AuthorizationRequest, Prompt } from "./authorization-request";
import type { IdentifiedClient } from "./identify-client";
import { given } from "./parameters";

/** Turns parameters that have passed all checks into a request. */
export function readRequest(
  parameters: URLSearchParams,
  { client, redirectUri }: IdentifiedClient,
): AuthorizationRequest {
  return {
    clientId: client.clientId,
    redirectUri,
    scopes: parseScopeList(parameters.get("scope") ?? "") ?? [],
    state: given(parameters, "state") ?? "",
    codeChallenge: given(parameters, "code_challenge") ?? null,
    prompt: parkedPrompt(given(parameters, "prompt")),
  };
}

function parkedPrompt(prompt: string | undefined): Prompt | null {
  if (prompt === undefined || prompt === "none") return null;
  const login = prompt.includes("login");
  if (prompt.includes("consent")) return login ? "login consent" : "consent";
  return login ? "login" : null;
}
