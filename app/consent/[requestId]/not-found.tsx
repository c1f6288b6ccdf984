import { RequestStateMessage } from "./_parts/request-state";

export default function NoSuchRequest() {
  return <RequestStateMessage state="REQUEST_UNKNOWN" requestId="" restart={null} />;
}
