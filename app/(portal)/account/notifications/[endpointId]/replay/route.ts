export { POST } from "#app/(portal)/developers/apps/[clientId]/webhooks/[endpointId]/replay/route";
