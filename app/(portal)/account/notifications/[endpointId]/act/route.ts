export { POST } from "#app/(portal)/developers/apps/[clientId]/webhooks/[endpointId]/act/route";
