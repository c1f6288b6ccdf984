export { default } from "#app/(portal)/developers/apps/[clientId]/webhooks/[endpointId]/layout.tsx";
