export async function oauthErrorOf(response: Response): Promise<[status: number, error: string]> {
  const { error } = (await response.json()) as { error: string };
  return [response.status, error];
}
