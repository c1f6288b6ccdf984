/**
 * The value of `Strict-Transport-Security` (RFC 6797) wherever BASE_URL is https: two years. Not for subdomains: other services
 * may live there, and they are not ours to decide for.
 */
export const strictTransport = "max-age=63072000";
