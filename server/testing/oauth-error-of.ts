/** Status and error code of an answer in the shape of OAuth errors. */
export async function oauthErrorOf(response: Response): Promise<[status: number, error: string]> {
  const { error } = (await response.json()) as { error: string };
  return [response.status, error];
}
